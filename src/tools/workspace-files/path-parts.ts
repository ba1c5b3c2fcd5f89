import { ToolFailure } from '../define-tool.ts';

export type PathRefusal = 'outside_workspace' | 'invalid_path';

/** A path that is not taken: nothing was read or changed, and asking again gives the same. */
export class PathRefused extends ToolFailure {
  readonly refusal: PathRefusal;
  constructor(refusal: PathRefusal, message: string) {
    super(refusal, message);
    this.refusal = refusal;
  }
}

const MAX_PATH_BYTES = 1_024;
const MAX_NAME_BYTES = 255;

/** The names on the way to a file, from the workspace's root. @throws {PathRefused} for whatever is no plain relative path */
export function pathParts(path: string): string[] {
  const shown = JSON.stringify(path.slice(0, 100));
  if (path.includes('\0')) throw new PathRefused('invalid_path', `${shown} has a character that no path has`);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) throw new PathRefused('invalid_path', `the path is longer than ${MAX_PATH_BYTES} bytes`);
  // who writes a path encoded, or for another system, means to get past somebody's check
  if (/%(2e|2f|5c|00)/i.test(path) || path.includes('\\')) throw new PathRefused('invalid_path', `${shown} is not written plainly. Use names parted by /`);
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) throw new PathRefused('outside_workspace', `${shown} is not relative to the workspace. Leave out the beginning`);
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw new PathRefused('outside_workspace', `${shown} leads upwards. Name the path from the workspace's root`);
  if (parts.some((part) => Buffer.byteLength(part) > MAX_NAME_BYTES)) throw new PathRefused('invalid_path', `a name in the path is longer than ${MAX_NAME_BYTES} bytes`);
  return parts;
}
