import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEventReader, parseEventId, type ServerEvent } from '../../../src/console/server-events.ts';

const stream =
  'retry: 2500\n\n: heartbeat\n\nid: 1-0a1b2c3d\nevent: turn\ndata: {"a":1}\n\nevent: delta\r\ndata: two\r\ndata:  lines\r\n\r\nid: 2-0a1b2c3d\rdata: 中文 👍\r\r: end\n\ndata: not complete';

const read = (parts: string[]): ServerEvent[] => {
  const next = createEventReader();
  return parts.flatMap((part) => next(part));
};

const expected: ServerEvent[] = [
  { id: '1-0a1b2c3d', type: 'turn', data: '{"a":1}' },
  { id: '', type: 'delta', data: 'two\n lines' },
  { id: '2-0a1b2c3d', type: 'message', data: '中文 👍' },
];

describe('an event stream', () => {
  test('is read by lines of any ending', () => {
    expect(read([stream])).toEqual(expected);
  });

  test('is read the same however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), stream.length];
        expect(read(places.slice(1).map((end, index) => stream.slice(places[index], end)))).toEqual(expected);
      }),
    );
  });

  test('an id is not taken over by the next event, and the wait that the server asks for is told', () => {
    const waits: number[] = [];
    const next = createEventReader((ms) => waits.push(ms));
    expect(next('retry: 300\nid: 5-0a1b2c3d\ndata: x\n\ndata: y\n\n').map((event) => event.id)).toEqual(['5-0a1b2c3d', '']);
    expect(waits).toEqual([300]);
  });

  test('ids have a number and the task that they are of', () => {
    expect(parseEventId('35-9f8e7d6c')).toEqual({ number: 35, of: '9f8e7d6c' });
    for (const bad of ['', 'abc', '35', '35-xyz', '-1-9f8e7d6c', '99999999999999999999-9f8e7d6c']) expect(parseEventId(bad)).toBeNull();
  });
});
