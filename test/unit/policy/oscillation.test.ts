import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectOscillation, sameIssueTwice } from '../../../src/policy/oscillation.ts';

const scored = (...scores: (number | null)[]) => scores.map((score, index) => ({ score, outputHash: `h${index}`, fingerprints: [] }));
const written = (...hashes: (string | null)[]) => hashes.map((outputHash) => ({ score: 50, outputHash, fingerprints: [] }));
const found = (...sets: string[][]) => sets.map((fingerprints, index) => ({ score: 50, outputHash: `h${index}`, fingerprints }));

describe('detectOscillation', () => {
  it('sees a score that goes up and down', () => {
    expect(detectOscillation(scored(40, 80, 50, 80))).toContain('40, 80, 50, 80');
    expect(detectOscillation(scored(90, 40, 80, 50))).not.toBeNull();
    expect(detectOscillation(scored(10, 40, null, 80, 50, null, 80))).toContain('40, 80, 50, 80');
  });

  it('does not mind a single dip, small moves, or what lies further back', () => {
    expect(detectOscillation(scored(40, 80, 50))).toBeNull();
    expect(detectOscillation(scored(40, 80, 50, 55))).toBeNull();
    expect(detectOscillation(scored(70, 75, 70, 75))).toBeNull();
    expect(detectOscillation(scored(40, 80, 50, 60, 70, 80))).toBeNull();
    expect(detectOscillation([])).toBeNull();
  });

  it('sees an output that comes back after another', () => {
    expect(detectOscillation(written('a', 'b', 'a'))).toContain('came back');
    expect(detectOscillation(written('a', 'b', null, 'c', 'a'))).not.toBeNull();
    expect(detectOscillation(written('a', 'a'))).toBeNull();
    expect(detectOscillation(written('a', 'b', 'a', 'c'))).toBeNull();
  });

  it('sees issues that take turns', () => {
    expect(detectOscillation(found(['x', 'y'], ['z'], ['y', 'x', 'x']))).toContain('x, y');
    expect(detectOscillation(found(['x'], ['x'], ['x']))).toBeNull();
    expect(detectOscillation(found(['x'], [], ['x']))).toBeNull();
    expect(detectOscillation(found([], ['x'], []))).toBeNull();
  });

  it('never calls rising scores with ever new outputs and issues an oscillation', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 })), (scores) => {
        const rising = scores.toSorted((a, b) => a - b).map((score, index) => ({ score, outputHash: `h${index}`, fingerprints: [`f${index}`] }));
        expect(detectOscillation(rising)).toBeNull();
      }),
    );
  });
});

it('sameIssueTwice names what stands in both attempts', () => {
  expect(sameIssueTwice(['a', 'b'], ['b', 'c', 'b'])).toBe('The correction did not help: b stands in two evaluated attempts in a row.');
  expect(sameIssueTwice(['a'], ['b'])).toBeNull();
  expect(sameIssueTwice([], [])).toBeNull();
});
