import { useSignal } from '@preact/signals';
import { t } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { SafeText } from './safe-text.tsx';

/** Text of fixed width, as it is, with what is hidden shown. Copies the true text. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <CodeFrame text={text} label={label}>
      <SafeText text={text} code />
    </CodeFrame>
  );
}

/** A JSON value, indented and coloured. */
export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <CodeFrame text={JSON.stringify(value, null, 2) ?? 'null'} label={label}>
      <JsonValue value={value} indent="" />
    </CodeFrame>
  );
}

function CodeFrame({ text, label, children }: { text: string; label: string; children: preact.ComponentChildren }) {
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    copied.value = true;
    setTimeout(() => (copied.value = false), 1_500);
  };
  return (
    <div class="code-frame">
      {/* Reached by keyboard so that it can be scrolled. */}
      <pre class="code" tabIndex={0} role="region" aria-label={label} dir="ltr">
        {children}
      </pre>
      {/* Plain HTTP from another machine has no clipboard. */}
      {'clipboard' in navigator && (
        <Button kind="plain" size="small" label={t().words.copyOf(label)} onClick={copy}>
          {copied.value ? t().words.copied : t().words.copy}
        </Button>
      )}
    </div>
  );
}

function JsonValue({ value, indent }: { value: unknown; indent: string }) {
  if (typeof value === 'string') return <JsonString text={value} kind="json-string" />;
  if (typeof value === 'number') return <span class="json-number">{String(value)}</span>;
  if (typeof value !== 'object' || value === null) return <span class="json-word">{String(value)}</span>;
  const list = Array.isArray(value);
  const entries = Object.entries(value);
  const [open, shut] = list ? '[]' : '{}';
  if (entries.length === 0) return <>{`${open}${shut}`}</>;
  const inner = `${indent}  `;
  return (
    <>
      {`${open}\n`}
      {entries.map(([name, item], index) => (
        <span key={name}>
          {inner}
          {!list && (
            <>
              <JsonString text={name} kind="json-key" />
              {': '}
            </>
          )}
          <JsonValue value={item} indent={inner} />
          {index < entries.length - 1 ? ',\n' : '\n'}
        </span>
      ))}
      {`${indent}${shut}`}
    </>
  );
}

/** Quotes, backslashes, line breaks and tabs are escaped as JSON has them; hidden characters are named. */
function JsonString({ text, kind }: { text: string; kind: string }) {
  const escaped = text.replace(/["\\\n\t]/g, (character) => JSON.stringify(character).slice(1, -1));
  return (
    <span class={kind}>
      &quot;
      <SafeText text={escaped} oneLine code />
      &quot;
    </span>
  );
}
