/** The values of a pattern's `:names` in a path, or null when it does not fit. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const expected = pattern.split('/');
  const parts = path.replace(/(?<=.)\/$/, '').split('/');
  if (expected.length !== parts.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const found = parts[index]!;
    if (part.startsWith(':')) values[part.slice(1)] = decode(found);
    else if (part !== found) return null;
  }
  return values;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
