import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiryOf, halfLifeOf, rankByFusion, type Candidate } from '../../../src/policy/retrieval.ts';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;
const OPTIONS = { now: NOW, floor: 0.2 };

const candidate = (id: string, change: Partial<Candidate> = {}): Candidate => ({
  id,
  text: null,
  cosine: null,
  exact: false,
  seenAt: NOW,
  halfLifeMs: 30 * DAY,
  trust: null,
  ...change,
});

const anyCandidates = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 6 }),
    text: fc.option(fc.double({ min: 0.01, max: 50, noNaN: true })),
    cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
    exact: fc.boolean(),
    seenAt: fc.option(fc.integer({ min: NOW - 1_000 * DAY, max: NOW + DAY })),
    halfLifeMs: fc.constantFrom(30 * DAY, 90 * DAY),
    trust: fc.option(fc.record({ helped: fc.nat(50), harmed: fc.nat(50) })),
  }),
  { selector: ({ id }) => id, maxLength: 12 },
);

describe('rank by fusion', () => {
  it('adds 1/(60+rank) of each list, times age, times trust', () => {
    const [first, second] = rankByFusion(
      [
        candidate('a', { text: 9, cosine: 0.5, exact: true, seenAt: NOW - 30 * DAY, trust: { helped: 0, harmed: 0 } }),
        candidate('b', { text: 8, cosine: 0.6, seenAt: NOW, trust: { helped: 0, harmed: 0 } }),
      ],
      OPTIONS,
    );
    expect(first).toMatchObject({ id: 'a', ranks: { text: 1, vector: 2, exact: 1 } });
    expect(first!.fused).toBeCloseTo(1 / 61 + 1 / 62 + 1 / 61, 12);
    expect(first!.age).toBeCloseTo(0.75, 12);
    // the 20% quantile of a uniform distribution
    expect(first!.trust).toBeCloseTo(0.2, 12);
    expect(first!.score).toBeCloseTo(first!.fused * 0.75 * 0.2, 12);
    expect(second).toMatchObject({ id: 'b', ranks: { text: 2, vector: 1, exact: null } });
  });

  it('does not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(anyCandidates, fc.infiniteStream(fc.nat()), (candidates, stream) => {
        const keys = new Map(candidates.map(({ id }) => [id, stream.next().value]));
        const shuffled = candidates.toSorted((left, right) => keys.get(left.id)! - keys.get(right.id)!);
        expect(rankByFusion(shuffled, OPTIONS)).toEqual(rankByFusion(candidates, OPTIONS));
      }),
    );
  });

  it('is sorted, holds each at most once, and only what some list has', () => {
    fc.assert(
      fc.property(anyCandidates, (candidates) => {
        const ranked = rankByFusion(candidates, OPTIONS);
        expect(new Set(ranked.map(({ id }) => id)).size).toBe(ranked.length);
        for (const [index, each] of ranked.entries()) {
          expect(index === 0 || ranked[index - 1]!.score >= each.score).toBe(true);
          expect(Object.values(each.ranks).some((rank) => rank !== null)).toBe(true);
          expect(each.age).toBeGreaterThanOrEqual(0.5);
          expect(each.age).toBeLessThanOrEqual(1);
          expect(each.trust).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it('never ranks one lower because it helped once more, or is newer', () => {
    const place = (candidates: Candidate[], id: string) => rankByFusion(candidates, OPTIONS).findIndex((each) => each.id === id);
    fc.assert(
      fc.property(anyCandidates, fc.nat(), (candidates, pick) => {
        if (candidates.length === 0) return;
        const chosen = candidates[pick % candidates.length]!;
        const before = place(candidates, chosen.id);
        const change = (better: Partial<Candidate>) => candidates.map((each) => (each.id === chosen.id ? { ...each, ...better } : each));
        if (chosen.trust) expect(place(change({ trust: { ...chosen.trust, helped: chosen.trust.helped + 1 } }), chosen.id)).toBeLessThanOrEqual(before);
        if (chosen.seenAt !== null) expect(place(change({ seenAt: chosen.seenAt + DAY }), chosen.id)).toBeLessThanOrEqual(before);
      }),
    );
  });

  it('leaves out what shares only what all share, and vectors that are near by chance', () => {
    const ids = (candidates: Candidate[]) => rankByFusion(candidates, OPTIONS).map(({ id }) => id);
    expect(ids([candidate('a', { text: 10 }), candidate('b', { text: 2 }), candidate('c', { cosine: 0.19 }), candidate('d', { cosine: 0.21 })])).toEqual(['a', 'd']);
    expect(ids([candidate('a', { cosine: 0.9 }), candidate('b', { cosine: 0.3 })])).toEqual(['a']);
    expect(ids([candidate('a', { exact: true }), candidate('b', { text: 50 })])).toEqual(['a', 'b']);
    expect(ids([])).toEqual([]);
  });

  it('one proven to help goes before an untried one of the same fit, one proven to harm after it', () => {
    const fit = { text: 5, cosine: 0.5 };
    const ranked = rankByFusion(
      [
        candidate('untried', { ...fit, trust: { helped: 0, harmed: 0 } }),
        candidate('harms', { ...fit, trust: { helped: 0, harmed: 4 } }),
        candidate('helps', { ...fit, trust: { helped: 4, harmed: 0 } }),
      ],
      OPTIONS,
    );
    expect(ranked.map(({ id }) => id)).toEqual(['helps', 'untried', 'harms']);
  });
});

it('what people wrote holds longest and does not expire', () => {
  const [failure, success, person] = [
    { outcome: 'failure', writtenBy: null },
    { outcome: 'success', writtenBy: null },
    { outcome: 'success', writtenBy: 'ann' },
  ] as const;
  expect(halfLifeOf(failure)).toBeLessThan(halfLifeOf(success));
  expect(halfLifeOf(success)).toBeLessThan(halfLifeOf(person));
  expect(expiryOf(failure, NOW)).toBe(NOW + 120 * DAY);
  expect(expiryOf(success, NOW)).toBe(NOW + 360 * DAY);
  expect(expiryOf(person, NOW)).toBeNull();
});
