import { diffLines, diffWordsWithSpace } from 'diff';
import { t } from '../i18n/index.ts';
import { SafeText } from './safe-text.tsx';

interface Line {
  kind: 'same' | 'added' | 'removed';
  /** Parts of the line; `changed` ones differ from the line that it takes the place of. */
  parts: { text: string; changed: boolean }[];
}

/** What changed from one text to another, line by line, and word by word where a line was changed. */
export function Diff({ before, after, label }: { before: string; after: string; label: string }) {
  return (
    <pre class="code diff" tabIndex={0} role="region" aria-label={label} dir="ltr">
      {linesOf(before, after).map((line, index) => (
        <span key={index} class={line.kind}>
          {line.kind !== 'same' && <span class="unseen">{line.kind === 'added' ? t().words.added : t().words.removed} </span>}
          {line.parts.map((part, position) =>
            part.changed ? (
              <mark key={position}>
                <SafeText text={part.text} code />
              </mark>
            ) : (
              <SafeText key={position} text={part.text} code />
            ),
          )}
        </span>
      ))}
    </pre>
  );
}

function linesOf(before: string, after: string): Line[] {
  const changes = diffLines(before, after);
  const lines: Line[] = [];
  for (let index = 0; index < changes.length; index++) {
    const change = changes[index]!;
    const next = changes[index + 1];
    if (change.removed && next?.added) {
      lines.push(...replaced(split(change.value), split(next.value)));
      index++;
    } else {
      const kind = change.added ? 'added' : change.removed ? 'removed' : 'same';
      lines.push(...split(change.value).map((text): Line => ({ kind, parts: [{ text, changed: false }] })));
    }
  }
  return lines;
}

/** Lines that took the place of as many others are compared word by word. */
function replaced(before: string[], after: string[]): Line[] {
  const paired = before.length === after.length;
  const part = (line: string, other: string | undefined, kind: 'added' | 'removed'): Line => {
    if (!paired || other === undefined) return { kind, parts: [{ text: line, changed: false }] };
    const words = kind === 'removed' ? diffWordsWithSpace(line, other) : diffWordsWithSpace(other, line);
    return { kind, parts: words.filter((word) => (kind === 'added' ? !word.removed : !word.added)).map((word) => ({ text: word.value, changed: word.added || word.removed })) };
  };
  return [...before.map((line, index) => part(line, after[index], 'removed')), ...after.map((line, index) => part(line, before[index], 'added'))];
}

function split(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}
