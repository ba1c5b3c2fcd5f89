import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/telemetry/redaction.ts';

const SECRET = 'SECRET-123';
const leak = (text: string): string => createRedactor([SECRET]).text(text);

describe('a known secret goes in every form', () => {
  it('as it is, in a URL, in hex, in JSON', () => {
    const odd = 'p&ss "w"ord\\';
    const { text } = createRedactor([odd]);
    for (const form of [odd, encodeURIComponent(odd), Buffer.from(odd).toString('hex'), JSON.stringify({ odd })]) expect(text(`<${form}>`)).toContain('[redacted]');
    expect(leak(`key=${SECRET}.`)).not.toContain(SECRET);
  });

  it('wherever it stands inside a base64 text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), fc.uint8Array({ maxLength: 20 }), fc.constantFrom('base64' as const, 'base64url' as const), (before, after, encoding) => {
        const encoded = Buffer.concat([before, Buffer.from(SECRET), after]).toString(encoding);
        expect(leak(`x ${encoded} y`)).toContain('[redacted]');
        // what is left tells no more than the bits of one character at either end
        expect(Buffer.from(leak(encoded).replace('[redacted]', ''), encoding).includes(SECRET.slice(1, -1))).toBe(false);
      }),
    );
  });

  it('nothing else goes', () => expect(leak('SECRET-12 and U0VDUkVU of SECRET')).toBe('SECRET-12 and U0VDUkVU of SECRET'));
});
