import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Icon } from './icons.tsx';

/** Over the page: the keyboard stays in it, Escape closes it, and the focus goes back to where it was. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before the next key: who types at once must not type into the page behind.
  useLayoutEffect(() => {
    const dialog = element.current!;
    const before = document.activeElement;
    dialog.showModal();
    // The first thing to fill in, else what it asks for: not the button that closes it.
    dialog.querySelector<HTMLElement>('.card-body :is(input, textarea, select), footer button[type=submit]')?.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => event.target === element.current && onClose()}
    >
      <header>
        <h2 id={id} class="grow">
          {title}
        </h2>
        <button type="button" class="icon-button" aria-label={t().words.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div class="card-body">{children}</div>
    </dialog>
  );
}
