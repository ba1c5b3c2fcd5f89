import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oracleFor, oracles } from '../../../../src/agents/test-cases/oracles/index.ts';
import { OracleUnavailable, runPairs } from '../../../../src/agents/test-cases/oracles/run-pairs.ts';
import { createSandbox, type DriverName } from '../../../../src/sandbox/index.ts';
import { sandboxPort } from './sandbox-port.ts';

interface Item {
  id: string;
  requirement_md: string;
  cases: { description: string; property: string; input: unknown; expected: unknown }[];
}
const file = new URL('../../../../../shared/cases/requirements.json', import.meta.url);
const items = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { items: Item[] }).items : [];
const drivers = (await createSandbox().describeDrivers()).filter(({ language, works }) => language === 'javascript' && works).map(({ driver }) => driver);

describe.skipIf(items.length === 0)('the reference implementations agree with every canonical pair', () => {
  for (const driver of drivers as DriverName[]) {
    for (const oracle of oracles) {
      it(`${oracle.name} on ${driver}`, async () => {
        const item = items.find(({ requirement_md: text }) => oracleFor(text) === oracle);
        expect(item?.id).toBe(oracle.name);
        const pairs = item!.cases.map(({ description, property, input, expected }) => ({
          id: description,
          data: JSON.stringify({ property, input }),
          expected: JSON.stringify(expected),
        }));
        const verdicts = await runPairs(oracle, pairs, sandboxPort(driver));
        expect(verdicts.filter(({ status }) => status !== 'confirmed')).toEqual([]);
        expect(verdicts).toHaveLength(item!.cases.length);
      });
    }
  }
});

describe('runPairs', () => {
  const luhn = oracles.find(({ name }) => name === 'luhn')!;
  const pair = (value: unknown, expected: string) => ({ id: 'TC-001', data: JSON.stringify({ property: 'valid', input: { value } }), expected });

  it('says what the reference gives instead', async () => {
    expect(await runPairs(luhn, [pair('059', 'false'), pair(59, '{"error": "wrong type"}'), pair('059', 'it is valid')], sandboxPort('auto'))).toEqual([
      { id: 'TC-001', status: 'refuted', actual: 'true' },
      { id: 'TC-001', status: 'confirmed', actual: '{"error":"wrong type"}' },
      { id: 'TC-001', status: 'unreadable', actual: null },
    ]);
  });

  it('is unavailable, and no verdict, when the sandbox refuses', async () => {
    const refusing = {
      run: async () => ({
        status: 'refused' as const,
        stdout: '',
        stderr: '',
        exitCode: null,
        durationMs: 0,
        driver: null,
        codeHash: '',
        refusal: { code: 'no_driver' as const, message: 'nothing runs javascript here', install: [] },
      }),
    };
    await expect(runPairs(luhn, [pair('059', 'true')], refusing)).rejects.toThrow(
      new OracleUnavailable('The reference for luhn did not run (refused): nothing runs javascript here'),
    );
  });
});
