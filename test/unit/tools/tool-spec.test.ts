import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../src/tools/define-tool.ts';
import { takeDecisionNote, toolSpec } from '../../../src/tools/tool-spec.ts';

const tool = defineTool({
  name: 'get_order',
  version: '1.0.0',
  releasedAt: '2026-01-31',
  description: 'Looks an order up.',
  risk: 'read',
  timeoutMs: 1_000,
  input: z.strictObject({ orderId: z.string(), full: z.boolean().optional() }),
  output: z.object({}),
  execute: async () => ({}),
});

describe('toolSpec', () => {
  test("is the tool's own schema with the required decision note", () => {
    const spec = toolSpec(tool);
    expect(spec).toMatchObject({
      name: 'get_order',
      description: 'Looks an order up.',
      parameters: {
        type: 'object',
        additionalProperties: false,
        required: ['orderId', '_decision'],
        properties: { orderId: { type: 'string' }, full: { type: 'boolean' }, _decision: { required: ['reason', 'confidence'] } },
      },
    });
    expect(spec.parameters).not.toHaveProperty('$schema');
    expect(toolSpec(tool)).toEqual(spec);
  });
});

describe('takeDecisionNote', () => {
  test.each([
    [
      { reason: ' why ', confidence: 0.9 },
      { reason: 'why', confidence: 0.9 },
    ],
    [
      { reason: 'why', confidence: '0.9' },
      { reason: 'why', confidence: 0.9 },
    ],
    [
      { reason: 'why', confidence: 0 },
      { reason: 'why', confidence: 0 },
    ],
    [
      { reason: 'why', confidence: 90 },
      { reason: 'why', confidence: null },
    ],
    [
      { reason: 'why', confidence: '90%' },
      { reason: 'why', confidence: null },
    ],
    [
      { reason: 'why', confidence: '' },
      { reason: 'why', confidence: null },
    ],
    [
      { reason: 'why', confidence: 1.0000001 },
      { reason: 'why', confidence: null },
    ],
    [
      { reason: 'why', confidence: -0.1 },
      { reason: 'why', confidence: null },
    ],
    [
      { reason: 'why', confidence: Number.NaN },
      { reason: 'why', confidence: null },
    ],
    [
      { reason: 'why', confidence: 'high' },
      { reason: 'why', confidence: null },
    ],
    [{ reason: 7 }, { reason: '', confidence: null }],
    ['{"reason":"why","confidence":1}', { reason: 'why', confidence: 1 }],
    ['because', null],
    [null, null],
    [[0.9], null],
  ])('%o is read as %o and taken out', (raw, note) => {
    expect(takeDecisionNote({ orderId: 'A001', _decision: raw })).toEqual({ note, rest: { orderId: 'A001' } });
  });
  test.each([[{ orderId: 'A001' }], [null], ['text'], [[1]], [undefined]])('without a note %o is left as it is', (value) => {
    expect(takeDecisionNote(value)).toEqual({ note: null, rest: value });
  });
});
