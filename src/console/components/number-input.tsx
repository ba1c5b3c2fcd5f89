import { FormField } from './form-field.tsx';

interface NumberInputProps {
  label: string;
  hint?: string;
  /** Said when the value is none of those that are possible. */
  problem: string;
  value: string;
  /** Whether the value is possible. */
  fits: boolean;
  onInput: (value: string) => void;
}

/** A number that is typed, with what is wrong with it. */
export function NumberInput({ label, hint, problem, value, fits, onInput }: NumberInputProps) {
  return (
    <FormField label={label} hint={hint} problem={fits ? null : problem}>
      {(field) => <input {...field} class="input numbers" inputMode="decimal" value={value} onInput={(event) => onInput(event.currentTarget.value)} />}
    </FormField>
  );
}

/** The number that a text says, when it is one from `least` to `most`; else null. */
export function numberIn(text: string, least: number, most: number, { whole = true } = {}): number | null {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return value >= least && value <= most && (!whole || Number.isInteger(value)) ? value : null;
}
