import type { CutText } from '../../../contracts/api/page.ts';
import { get, path } from '../../api.ts';

/** The whole of a text that may be cut. @throws {ApiError} */
export function wholeText(taskId: string, cut: CutText, signal: AbortSignal): Promise<string> {
  return cut.cut && cut.hash !== null ? get<string>(path`/v1/tasks/${taskId}/blobs/${cut.hash}`, { signal, asText: true }) : Promise.resolve(cut.text);
}

/** An output as lines that can be compared: JSON indented, its texts with their own line breaks. */
export function textForDiff(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? linesOf(value, '') : text;
  } catch {
    return text;
  }
}

function linesOf(value: object, indent: string): string {
  return Object.entries(value)
    .map(([name, inner]) => {
      const label = Array.isArray(value) ? `${indent}-` : `${indent}${name}:`;
      if (typeof inner === 'object' && inner !== null) return `${label}\n${linesOf(inner, `${indent}  `)}`;
      const text = String(inner);
      return text.includes('\n') ? `${label}\n${text.replaceAll(/^/gm, `${indent}  `)}` : `${label} ${text}`;
    })
    .join('\n');
}
