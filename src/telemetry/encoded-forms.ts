/** How a secret looks as it is, in URLs, in JSON, in hex, and anywhere inside a base64 text (as in `Basic` authorisation). */
export function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes.toString('hex')];
  const inside = [0, 1, 2].flatMap((before) => insideBase64(bytes, before));
  // the longest first: a form that contains another goes as a whole
  return [...new Set([...plain, ...inside])].toSorted((one, two) => two.length - one.length);
}

/** The characters that stand for these bytes alone when `before` bytes (mod 3) precede them, whatever comes before and after. */
function insideBase64(bytes: Buffer, before: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]);
  const first = Math.ceil((before * 8) / 6);
  const last = Math.floor((padded.length * 8) / 6);
  return (['base64', 'base64url'] as const).map((encoding) => padded.toString(encoding).slice(first, last));
}
