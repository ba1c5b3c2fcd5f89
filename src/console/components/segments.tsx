interface SegmentsProps<T extends string> {
  label: string;
  options: readonly { id: T; label: string; lang?: string }[];
  selected: T;
  onSelect: (id: T) => void;
}

/** One of a few, all shown. */
export function Segments<T extends string>({ label, options, selected, onSelect }: SegmentsProps<T>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option.id} type="button" lang={option.lang} aria-pressed={option.id === selected} onClick={() => onSelect(option.id)}>
          {option.label}
        </button>
      ))}
    </div>
  );
}
