import { expect, it } from 'vitest';
import { scopeTermsOf } from '../../../src/memory/scope-terms.ts';
import { termsOf } from '../../../src/memory/terms.ts';

const refunds = Array.from({ length: 6 }, (_, index) => termsOf(`refund for order ${index}, please hurry`));
const parcels = Array.from({ length: 12 }, (_, index) => termsOf(`where is the parcel of order ${index}, please`));

it('names what nearly all tasks of a cluster have and hardly another one', () => {
  expect(scopeTermsOf(refunds, parcels)).toEqual(['refund', 'hurry']);
  expect(
    scopeTermsOf(
      refunds.map(() => termsOf('我要退款')),
      parcels,
    ),
  ).toContain('退款');
});

it('names nothing where they are alike, or too few to tell', () => {
  expect(scopeTermsOf(parcels.slice(0, 6), parcels)).toEqual([]);
  expect(scopeTermsOf(refunds.slice(0, 4), parcels)).toEqual([]);
  expect(scopeTermsOf(refunds, parcels.slice(0, 9))).toEqual([]);
});
