import { useState } from 'preact/hooks';
import { FieldFrame } from './field-frame.tsx';
import { readNumber } from './read-number.ts';
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
