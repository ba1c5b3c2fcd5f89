import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cancelPayloadSchema, MAX_MESSAGE_CHARS, messagePayloadSchema, restorePayloadSchema } from '../../../src/contracts/messages.ts';
import { REFUSAL_CODES } from '../../../src/contracts/reasons.ts';
import { parseCancel, parseMessage, parseRestore } from '../../../src/policy/message-payloads.ts';

describe('parseMessage', () => {
  it('reads an object, or a string as the Temporal UI sends it', () => {
    expect(parseMessage('A002, please')).toEqual({ ok: true, value: { text: 'A002, please', by: 'user' } });
    expect(parseMessage({ text: 'hi', by: 'ann', id: 'm1' })).toEqual({ ok: true, value: { text: 'hi', by: 'ann', id: 'm1' } });
    expect(parseMessage({ text: 'hi', by: null, id: null })).toEqual({ ok: true, value: { text: 'hi', by: 'user' } });
  });

  it.each<[unknown, string]>([
    [null, 'malformed'],
    [undefined, 'malformed'],
    [7, 'malformed'],
    [[], 'malformed'],
    ['', 'malformed'],
    [' \n ', 'malformed'],
    [{}, 'malformed'],
    [{ text: 7 }, 'malformed'],
    [{ text: 'hi', cc: 'x' }, 'malformed'],
    [{ text: 'hi', id: {} }, 'malformed'],
    ['x'.repeat(MAX_MESSAGE_CHARS + 1), 'too_large'],
    [{ text: 'hi', by: 'x'.repeat(201) }, 'too_large'],
  ])('refuses %j', (payload, code) => {
    expect(parseMessage(payload)).toMatchObject({ ok: false, code, text: expect.stringMatching(/\S.*\.$/) });
  });
});

describe('parseRestore', () => {
  it('reads what the schema reads, and says what is wrong with the rest', () => {
    expect(parseRestore({ attempt: 2, by: 'ann' })).toEqual({ ok: true, value: { attempt: 2, by: 'ann', reason: '' } });
    const payloads = fc.oneof(
      fc.anything(),
      fc.record({ attempt: fc.oneof(fc.integer(), fc.double()), by: fc.string({ maxLength: 210 }), reason: fc.string() }, { requiredKeys: ['attempt', 'by'] }),
    );
    fc.assert(
      fc.property(payloads, (payload) => {
        const parsed = parseRestore(payload);
        if (parsed.ok) expect(restorePayloadSchema.safeParse(payload).success).toBe(true);
        else expect(parsed.text).toMatch(/\S.*\.$/);
      }),
    );
  });
});

describe('parseCancel', () => {
  it('reads an object or the reason alone', () => {
    expect(parseCancel('no longer needed')).toEqual({ ok: true, value: { reason: 'no longer needed', by: 'unknown' } });
    expect(parseCancel({ reason: 'wrong order', by: 'ann' })).toEqual({ ok: true, value: { reason: 'wrong order', by: 'ann' } });
  });

  it.each<[unknown, string]>([
    [null, 'malformed'],
    [{}, 'malformed'],
    [{ reason: '' }, 'malformed'],
    [{ reason: 'x', now: true }, 'malformed'],
    ['x'.repeat(1_001), 'too_large'],
  ])('refuses %j', (payload, code) => {
    expect(parseCancel(payload)).toMatchObject({ ok: false, code });
  });
});

it('never throws; what is read fits the schemas, and the refusal of a long payload is short', () => {
  const payloads = fc.oneof(
    fc.anything(),
    fc.string(),
    fc.dictionary(fc.string(), fc.anything()),
    fc.record({ text: fc.string(), reason: fc.string(), by: fc.oneof(fc.string(), fc.anything()), id: fc.anything() }, { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(payloads, (payload) => {
      const checks = [
        [parseMessage(payload), messagePayloadSchema],
        [parseCancel(payload), cancelPayloadSchema],
      ] as const;
      for (const [parsed, schema] of checks) {
        if (parsed.ok) expect(schema.safeParse(parsed.value).success).toBe(true);
        else {
          expect(REFUSAL_CODES).toContain(parsed.code);
          expect(parsed.text.length).toBeLessThan(500);
        }
      }
    }),
    { numRuns: 2_000 },
  );
});
