export interface Tab<T extends string> {
  id: T;
  label: string;
  count?: number;
}

interface TabsProps<T extends string> {
  tabs: readonly Tab<T>[];
  selected: T;
  onSelect: (id: T) => void;
  label: string;
}

/** The content belongs into an element with `role="tabpanel"`, `id={panelOf(id)}` and `aria-labelledby={tabOf(id)}`. */
export function Tabs<T extends string>({ tabs, selected, onSelect, label }: TabsProps<T>) {
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const index = tabs.findIndex((tab) => tab.id === selected);
    const next = tabs[(index + step + tabs.length) % tabs.length]!;
    onSelect(next.id);
    document.getElementById(tabOf(next.id))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          id={tabOf(tab.id)}
          type="button"
          role="tab"
          aria-selected={tab.id === selected}
          aria-controls={tab.id === selected ? panelOf(tab.id) : undefined}
          tabIndex={tab.id === selected ? 0 : -1}
          onClick={() => onSelect(tab.id)}
        >
          {tab.label}
          {tab.count !== undefined && <span class="muted"> {tab.count}</span>}
        </button>
      ))}
    </div>
  );
}

export const tabOf = (id: string): string => `tab-${id}`;
export const panelOf = (id: string): string => `panel-${id}`;
