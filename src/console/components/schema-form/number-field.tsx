import { useState } from 'preact/hooks';
import { FieldFrame } from './field-frame.tsx';
import { Unfinished } from './schema.ts';
import type { FieldProps } from './schema-form.tsx';

export function NumberField(props: FieldProps) {
  // What is typed, not the number: "1.0" on its way to "1.05" would jump to "1".
  const [text, setText] = useState(() => (props.value instanceof Unfinished ? props.value.text : String(props.value ?? '')));
  const change = (next: string): void => {
    setText(next);
    props.onChange(readNumber(next));
  };
  return (
    <FieldFrame {...props}>
      {(control) => <input {...control} class="input numbers" inputMode="decimal" value={text} onInput={(event) => change(event.currentTarget.value)} />}
    </FieldFrame>
  );
}

/** Digits that a number keeps for certain. */
const EXACT_DIGITS = 15;

/** A number written as JSON has it. One that would lose digits is none: what runs must be what was typed. */
export function readNumber(text: string): number | Unfinished {
  const trimmed = text.trim();
  const digits = /^-?(\d+)(?:\.(\d+))?(?:[eE][+-]?\d{1,3})?$/.exec(trimmed);
  if (!digits) return new Unfinished(text);
  const number = Number(trimmed);
  const exact = Number.isSafeInteger(number) || `${digits[1]}${digits[2] ?? ''}`.replace(/^0+/, '').length <= EXACT_DIGITS;
  return Number.isFinite(number) && exact ? number : new Unfinished(text);
}
