import { useState } from 'preact/hooks';
import { visibleJson } from '../../text/visible.ts';
import { FieldFrame } from './field-frame.tsx';
import { Unfinished } from './schema.ts';
import type { FieldProps } from './schema-form.tsx';

/** A value as JSON text. */
export function JsonField(props: FieldProps) {
  const [text, setText] = useState(() => (props.value instanceof Unfinished ? props.value.text : visibleJson(props.value)));
  const change = (next: string): void => {
    setText(next);
    props.onChange(readJson(next));
  };
  return (
    <FieldFrame {...props}>
      {(control) => (
        <textarea
          {...control}
          class="input mono"
          dir="ltr"
          spellcheck={false}
          rows={Math.min(16, text.split('\n').length + 1)}
          value={text}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return new Unfinished(text);
  }
}
