import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps {
  count: number;
  /** Height of an item before it is measured, px. */
  estimate: (index: number) => number;
  render: (index: number) => ComponentChildren;
  /** What an item is, whatever its place. */
  keyOf?: (index: number) => string | number;
  label: string;
  /** Sets the height of the list. */
  class?: string;
  /** Scrolls to this item when it changes. */
  scrollTo?: number | null;
  /** Called when the last items are near. */
  onEnd?: () => void;
}

/** A long list of which only what is seen is in the page. Items may have any height and may change it. */
export function VirtualList({ count, estimate, render, keyOf = (index) => index, label, class: className = '', scrollTo = null, onEnd }: VirtualListProps) {
  const element = useRef<HTMLDivElement>(null);
  const [, setDrawn] = useState(0);
  const options = {
    count,
    estimateSize: estimate,
    getItemKey: keyOf,
    getScrollElement: () => element.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 8,
    onChange: () => setDrawn((drawn) => drawn + 1),
  };
  const list = useRef<Virtualizer<HTMLDivElement, HTMLElement> | null>(null);
  list.current ??= new Virtualizer(options);
  list.current.setOptions({ ...list.current.options, ...options });
  useEffect(() => list.current!._didMount(), []);
  useLayoutEffect(() => list.current!._willUpdate());
  useEffect(() => {
    if (scrollTo !== null) list.current!.scrollToIndex(scrollTo, { align: 'center' });
  }, [scrollTo]);
  const items = list.current.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= 0 && last >= count - 10) onEnd?.();
  }, [last, count]);
  return (
    <div ref={element} class={`virtual ${className}`} tabIndex={0} role="region" aria-label={label}>
      <div role="list" style={{ height: `${list.current.getTotalSize()}px` }}>
        {items.map((item) => (
          <div
            key={item.key}
            role="listitem"
            data-index={item.index}
            aria-setsize={count}
            aria-posinset={item.index + 1}
            ref={(node) => list.current!.measureElement(node)}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {render(item.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
