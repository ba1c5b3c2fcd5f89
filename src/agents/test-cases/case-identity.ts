import { canonical } from './oracles/run-pairs.ts';
import type { TestCase } from './schemas.ts';

/** `TC-001` for the first. */
export function idAt(index: number): string {
  return `TC-${String(index + 1).padStart(3, '0')}`;
}

/** Id of each copy → id of the first like it. */
export function duplicatesOf(cases: readonly TestCase[]): Map<string, string> {
  const first = new Map<string, string>();
  const copies = new Map<string, string>();
  for (const each of cases) {
    const keys = [
      `title:${plain(each.title)}`,
      `data:${plain(each.preconditions)}:${normal(each.data)}:${normal(each.expected)}:${each.data.trim() === '' ? plain(each.steps.join('\n')) : ''}`,
    ];
    const original = keys.map((key) => first.get(key)).find((id) => id !== undefined);
    if (original !== undefined && !copies.has(each.id)) copies.set(each.id, original);
    for (const key of keys) if (!first.has(key)) first.set(key, each.id);
  }
  return copies;
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

function normal(text: string): string {
  try {
    return canonical(JSON.parse(text));
  } catch {
    return plain(text);
  }
}
