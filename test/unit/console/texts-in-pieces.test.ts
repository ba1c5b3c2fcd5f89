import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf } from '../../../src/console/text/chunks.ts';
import { withNewer } from '../../../src/console/pages/tasks/merge-tasks.ts';
import type { TaskSummary } from '../../../src/contracts/api/tasks.ts';

describe('a long text in pieces', () => {
  it('keeps every character, and never parts one', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 3_000 }), { maxLength: 3 }), (lines) => {
        const text = lines.join('');
        const chunks = chunksOf(text);
        expect(chunks.join('')).toBe(text.replaceAll('\n', ''));
        expect(Math.max(0, ...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(1_000);
      }),
      { numRuns: 40 },
    );
    const emoji = 'a' + '😀'.repeat(2_000);
    expect(chunksOf(emoji).every((chunk) => chunk.isWellFormed())).toBe(true);
  });
});

describe('a list of tasks whose beginning is read again', () => {
  const task = (taskId: string, minute: number, more = {}) => ({ taskId, startedAt: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(), ...more }) as TaskSummary;
  it('takes what was read, and keeps what is older', () => {
    const known = [task('c', 3), task('b', 2), task('a', 1)];
    const fresh = { items: [task('d', 4), task('c', 3, { status: 'closed' })], next: 'more' };
    expect(withNewer(known, fresh).map((each) => [each.taskId, each.status])).toEqual([
      ['d', undefined],
      ['c', 'closed'],
      ['b', undefined],
      ['a', undefined],
    ]);
  });
  it('forgets what no longer fits where it should have been read', () => {
    const known = [task('c', 3), task('b', 2), task('a', 1)];
    expect(withNewer(known, { items: [task('d', 4), task('b', 2)], next: 'more' }).map((each) => each.taskId)).toEqual(['d', 'b', 'a']);
    expect(withNewer(known, { items: [], next: null })).toEqual([]);
  });
});
