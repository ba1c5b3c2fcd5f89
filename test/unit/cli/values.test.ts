import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shellQuote, taskUrl } from '../../../src/cli/addresses.ts';
import { UsageError } from '../../../src/cli/errors.ts';
import { parseJson, parseLimits, parsePairs, readJsonFile, wholeNumber } from '../../../src/cli/values.ts';

describe('values on the command line', () => {
  test('pairs and limits', () => {
    expect(parsePairs(['maxAttempts=5', 'temperature = 0.1', 'maxTotalTokens=1_000_000', 'escalationAfterFail=false'])).toEqual({
      maxAttempts: 5,
      temperature: 0.1,
      maxTotalTokens: 1_000_000,
      escalationAfterFail: false,
    });
    expect(parseLimits([])).toEqual({});
    expect(parseLimits(['maxAttempts=5', 'escalationAfterFail=false'])).toEqual({ maxAttempts: 5, escalationAfterFail: false });
  });
  test.each<[string, () => unknown, RegExp]>([
    ['no value', () => parsePairs(['maxAttempts']), /"maxAttempts" is not name=value/],
    ['an empty value', () => parsePairs(['maxAttempts=']), /is not name=value/],
    ['no name', () => parsePairs(['=5']), /is not name=value/],
    ['a word', () => parsePairs(['maxAttempts=many']), /must be a number, true or false/],
    ['out of range', () => parseLimits(['maxAttempts=0']), /--limit: maxAttempts: .*Limits: maxAttempts, maxTurns/],
    ['unknown', () => parseLimits(['maxAttemps=3']), /maxAttemps/],
    ['broken JSON', () => parseJson('{"a":', '--input'), /^--input is not JSON/],
    ['no whole number', () => wholeNumber('2.5'), /not a whole number/],
  ])('%s is a usage error', (_name, parse, says) => {
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(says);
  });
  test('a file that is not there', async () => {
    await expect(readJsonFile('/no/such/file.json')).rejects.toThrow("/no/such/file.json can't be read: there is no such file");
  });
});

describe('addresses', () => {
  test('a task in the Temporal UI, whatever its id', () => {
    expect(taskUrl('http://127.0.0.1:8233', 'default', 'a/b c')).toBe('http://127.0.0.1:8233/namespaces/default/workflows/a%2Fb%20c');
    expect(taskUrl(null, 'default', 'a')).toBeNull();
  });
  test('a shell gives back exactly what was quoted', () => {
    const word = fc.string({ unit: fc.constantFrom('a', ' ', "'", '"', '$', '`', '\\', '\n', '!', '*', '单', '(', ';', '~', '#') });
    fc.assert(
      fc.property(word, (text) => {
        expect(execFileSync('sh', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});
