import { createHash } from 'node:crypto';

/** Whether two texts are the same code but for white space at line ends and blank lines. */
export function isSameCode(one: string, other: string): boolean {
  return plain(one) === plain(other);
}

/** Equal for the same code. */
export function codeKey(code: string): string {
  return createHash('sha256').update(plain(code)).digest('hex').slice(0, 16);
}

function plain(code: string): string {
  return code
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}
