import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CapturedOutput } from '../../../src/sandbox/captured-output.ts';
import { createOutputBuffer, outputWriter, readOutput } from '../../../src/sandbox/drivers/quickjs/output-buffer.ts';

const chunks = fc.array(fc.tuple(fc.constantFrom('stdout' as const, 'stderr' as const), fc.string({ maxLength: 30 })), { maxLength: 30 });

/** Both ways of keeping output hold the same promise. */
const WAYS = {
  'of a process': (limit: number) => {
    const output = new CapturedOutput(limit);
    return {
      add: (stream: 'stdout' | 'stderr', text: string) => output.add(stream, Buffer.from(text)),
      read: () => ({ stdout: output.text('stdout'), stderr: output.text('stderr') }),
    };
  },
  'of a thread': (limit: number) => {
    const buffer = createOutputBuffer(limit);
    let fits = true;
    const write = outputWriter(buffer, () => {
      fits = false;
    });
    return {
      add: (stream: 'stdout' | 'stderr', text: string) => {
        write(stream === 'stdout' ? 0 : 1, text);
        return fits;
      },
      read: () => readOutput(buffer),
    };
  },
};

describe.each(Object.entries(WAYS))('output %s', (_, make) => {
  it('is kept whole up to the limit of both streams together', () => {
    fc.assert(
      fc.property(chunks, fc.integer({ min: 1, max: 300 }), (parts, limit) => {
        const output = make(limit);
        let total = 0;
        for (const [stream, text] of parts) {
          total += Buffer.byteLength(text);
          const fits = output.add(stream, text);
          expect(fits).toBe(total <= limit);
          if (!fits) break;
        }
        const { stdout, stderr } = output.read();
        if (total <= limit) {
          const expected = (wanted: string) => Buffer.concat(parts.filter(([stream]) => stream === wanted).map(([, text]) => Buffer.from(text))).toString('utf8');
          expect(stdout).toBe(expected('stdout'));
          expect(stderr).toBe(expected('stderr'));
        }
        // A character cut at the limit becomes U+FFFD, up to 3 bytes for each of its bytes.
        expect(Buffer.byteLength(stdout) + Buffer.byteLength(stderr)).toBeLessThanOrEqual(limit + 12);
      }),
    );
  });

  it('replaces what is not UTF-8', () => {
    const output = new CapturedOutput(100);
    output.add('stdout', Buffer.from([0x61, 0xff, 0x00, 0x62]));
    expect(output.text('stdout')).toBe('a\uFFFD\0b');
  });
});
