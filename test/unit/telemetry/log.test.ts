import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../../src/telemetry/log.ts';
import { createRedactor } from '../../../src/telemetry/redaction.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void, secrets: string[] = []): { text: string; lines: Record<string, any>[] } {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  write(createLog({ level: 'info', name: 'test', secrets, destination }));
  return {
    text,
    lines: text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, any>),
  };
}

describe('log lines', () => {
  test('are JSON with level, time and fields; lower levels are left out', () => {
    const { lines } = logged((log) => {
      log.debug('no');
      log.info({ taskId: 't1', tokens: 12, inputTokens: 7 }, 'yes');
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 'info', name: 'test', taskId: 't1', tokens: 12, inputTokens: 7, msg: 'yes' });
    expect(new Date(lines[0]!['time'] as string).getTime()).toBeGreaterThan(0);
  });

  test('hold no secret: in fields, nested fields, messages, errors with causes, child bindings', () => {
    const { text, lines } = logged(
      (log) => {
        log.info(
          { headers: { Authorization: 'Bearer hunter2hunter2', 'x-api-key': 'hunter2' }, config: { apiKey: 'hunter2', token: 'hunter2' } },
          'call with sk-hunter2hunter2hunter2',
        );
        log.error({ err: new Error('connect postgresql://app:hunter2@db/x', { cause: new Error('api_key=hunter2') }) }, 'failed');
        log.error(new Error('password: hunter2'));
        log.child({ url: 'https://user:hunter2@host/' }).info('known is %s', 'my-hunter2-key');
      },
      ['my-hunter2-key'],
    );
    expect(text).not.toContain('hunter2');
    expect(lines).toHaveLength(4);
    expect(lines[1]!['err']).toMatchObject({ type: 'Error', message: 'connect postgresql://app:[redacted]@db/x', cause: { type: 'Error' } });
  });

  test('leave ordinary text and values alone', () => {
    const redactor = createRedactor(['no']);
    const value = { message: 'Order A001 at https://host:8080/path?x=1 costs 12.50; no basic fault', when: null, list: [1, 'two'], token_count: 3, secretary: 'Ms Li' };
    expect(redactor.value(value)).toEqual(value);
  });

  test('survive what refers to itself', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect(() => logged((log) => log.info(loop, 'loop'))).not.toThrow();
  });
});
