import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeltaView } from '../../../src/contracts/api/events.ts';
import { addDelta, breakDraft, type Draft, endDraft, readableDraft, resetDraft } from '../../../src/console/pages/task/draft.ts';

const delta = (offset: number, text: string, more: Partial<DeltaView> = {}): DeltaView => ({ callKey: 'a', stage: 'decide', draft: true, try: 1, offset, text, ...more });
const all = (deltas: DeltaView[]): Draft | null => deltas.reduce<Draft | null>(addDelta, null);

describe('a draft', () => {
  it('is the text whatever pieces come twice or overlap', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60 }), fc.array(fc.nat(59), { maxLength: 20 }), (text, cuts) => {
        const pieces = [...new Set([0, ...cuts.filter((at) => at < text.length)])].sort((left, right) => left - right);
        const deltas = pieces.map((from, index) => delta(from, text.slice(from, pieces[index + 1] ?? text.length)));
        const again = cuts.flatMap((at) => deltas.filter((each) => each.offset <= at).slice(-1));
        const result = all([...deltas, ...again]);
        expect(result).toMatchObject({ text, gap: false });
      }),
    );
  });

  it('shows nothing after a missing piece, and goes on when it comes', () => {
    const gapped = all([delta(0, 'The order '), delta(20, 'never'), delta(25, ' left')]);
    expect(gapped).toMatchObject({ text: 'The order ', gap: true });
    expect(addDelta(gapped, delta(10, 'is on its way'))).toMatchObject({ text: 'The order is on its way', gap: false });
  });

  it('starts over with another try or another call, and ignores what comes late of the one before', () => {
    const second = all([delta(0, 'half an ans'), delta(0, 'A whole', { try: 2 })]);
    expect(second).toMatchObject({ text: 'A whole', try: 2 });
    expect(addDelta(second, delta(11, 'wer'))).toBe(second);
    expect(addDelta(second, delta(0, 'Next', { callKey: 'b' }))).toMatchObject({ callKey: 'b', text: 'Next' });
  });

  it('is gone after its reset, and stays after the reset of another', () => {
    const draft = all([delta(0, 'text')]);
    expect(resetDraft(draft, 'a')).toBeNull();
    expect(resetDraft(draft, null)).toBeNull();
    expect(resetDraft(draft, 'b')).toBe(draft);
  });

  it('is broken from a lost connection until its stream goes on', () => {
    const broken = breakDraft(all([delta(0, 'Your refund of')]));
    expect(broken).toMatchObject({ broken: true });
    expect(addDelta(broken, delta(14, ' 30 EUR'))).toMatchObject({ text: 'Your refund of 30 EUR', broken: false });
    expect(breakDraft(null)).toBeNull();
  });

  it('is broken when its model call ended in the middle, and stays as it is when it ended whole', () => {
    const draft = all([delta(0, 'Your refund of')]);
    expect(endDraft(draft, { callKey: 'a', complete: false })).toMatchObject({ broken: true });
    expect(endDraft(draft, { callKey: 'a', complete: true })).toBe(draft);
    expect(endDraft(draft, { callKey: 'b', complete: false })).toBe(draft);
  });
});

describe('what a person reads of a draft', () => {
  it('is the output inside unfinished JSON', () => {
    expect(readableDraft('{"type":"answer","reason":"all is known","output":{"reply":"Hello, your ord')).toEqual({ text: 'Hello, your ord', why: 'all is known' });
    expect(readableDraft('{"type":"answer","output":{"a":"x","b":[1,2')).toEqual({ text: JSON.stringify({ a: 'x', b: [1, 2] }, null, 2), why: null });
  });
  it('is the text itself where it is no JSON', () => {
    expect(readableDraft('Hello {name}')).toEqual({ text: 'Hello {name}', why: null });
    expect(readableDraft('{not json')).toEqual({ text: '{not json', why: null });
  });
  it('is nothing yet while only the reason is there', () => {
    expect(readableDraft('{"reason":"the order is known"')).toEqual({ text: '', why: 'the order is known' });
  });
});
