/** Characters of a piece at most: a line of JSON may be a megabyte. */
const CHUNK = 1_000;

/** A text in pieces that can be drawn one by one: by lines, and long lines cut; put together they are the text without the line breaks between them. */
export function chunksOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.length <= CHUNK ? [line] : cutLine(line)));
}

function cutLine(line: string): string[] {
  const chunks: string[] = [];
  for (let from = 0; from < line.length;) {
    let to = Math.min(line.length, from + CHUNK);
    // Never between the halves of one character.
    if (to < line.length && /[\uD800-\uDBFF]/.test(line[to - 1]!)) to -= 1;
    chunks.push(line.slice(from, to));
    from = to;
  }
  return chunks;
}
