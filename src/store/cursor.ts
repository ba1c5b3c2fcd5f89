import { z } from 'zod';

/** The text is no cursor that this list has given. */
export class InvalidCursorError extends Error {
  override readonly name = 'InvalidCursorError';
  constructor() {
    super('This cursor is not one that this list has given: use "next" of the page before, or leave it out.');
  }
}

/** After 1970, as far as a Date goes. */
const MAX_TIME = 8.64e15;
const placeSchema = z.tuple([z.number().min(0).max(MAX_TIME), z.array(z.string().or(z.number()))]);

/** Where a page of a list in order of time ended: its last row's time (Unix ms) and key. */
export type ListPlace = z.infer<typeof placeSchema>;

export function writeCursor(at: Date, key: (string | number)[]): string {
  return Buffer.from(JSON.stringify([at.getTime(), key] satisfies ListPlace)).toString('base64url');
}

/** @throws {InvalidCursorError} */
export function readCursor(cursor: string, keyLength: number): ListPlace {
  const parsed = placeSchema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!parsed.success || parsed.data[1].length !== keyLength) throw new InvalidCursorError();
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
