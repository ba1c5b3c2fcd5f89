import { expect, it } from 'vitest';
import { isSameMatter, type Matter } from '../../../src/policy/same-matter.ts';

const matter = (intent: string | null, entities: Record<string, unknown>, text: string): Matter => ({ intent, entities, terms: text.split(' ') });
const first = matter('order_status', { orderId: 'A003' }, 'where is my order');

it.each([
  ['the same intent about the same order, in other words', first, matter('order_status', { orderId: 'A003' }, 'still nothing came'), true],
  ['another order', first, matter('order_status', { orderId: 'A004' }, 'where is my order'), false],
  ['another intent about the same order', first, matter('return', { orderId: 'A003' }, 'where is my order'), false],
  [
    'the same intent without anything named, in like words',
    matter('policy', {}, 'how long may I return'),
    matter('policy', { orderId: '' }, 'so how long may I return things'),
    true,
  ],
  ['the same intent without anything named, about something else', matter('policy', {}, 'how long may I return'), matter('policy', {}, 'do you ship abroad'), false],
  ['no intent, the same words', matter(null, {}, 'paint the zebra'), matter(null, {}, 'please paint the zebra'), true],
  ['no intent, other words', matter(null, {}, 'paint the zebra'), matter(null, {}, 'feed the lion'), false],
  ['nothing at all', matter(null, {}, ''), { intent: null, entities: {}, terms: [] }, false],
])('%s', (_, before, after, expected) => {
  expect(isSameMatter(before, after)).toBe(expected);
});
