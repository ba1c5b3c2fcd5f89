import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { defineTool, ToolDefinitionError, type ToolDefinition } from '../../../src/tools/define-tool.ts';

const good = {
  name: 'get_order',
  version: '1.0.0',
  releasedAt: '2026-01-31',
  description: 'Looks an order up.',
  input: z.strictObject({ orderId: z.string() }),
  output: z.object({ status: z.string() }),
  risk: 'read' as const,
  timeoutMs: 1_000,
  execute: async () => ({ status: 'shipped' }),
};

function refusal(change: object): ToolDefinitionError {
  try {
    defineTool({ ...good, ...change } as ToolDefinition<z.ZodType, z.ZodType>);
  } catch (error) {
    if (error instanceof ToolDefinitionError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('defineTool', () => {
  test('fills in the defaults and types execute by the schemas', () => {
    const tool = defineTool({ ...good, execute: async ({ orderId }) => ({ status: orderId.toUpperCase() }) });
    expect(tool).toMatchObject({ idempotent: true, polling: false, requires: [], riskWhen: [] });
    expectTypeOf(tool.execute).parameter(0).toEqualTypeOf<{ orderId: string }>();
    expect(defineTool({ ...good, risk: 'write' }).idempotent).toBe(false);
  });

  test.each([
    ['name', { name: 'Get-Order' }],
    ['name', { name: `a${'b'.repeat(64)}` }],
    ['version', { version: ' ' }],
    ['releasedAt', { releasedAt: '31.1.2026' }],
    ['releasedAt', { releasedAt: '2026-02-30' }],
    ['description', { description: '' }],
    ['risk', { risk: 'harmless' }],
    ['timeoutMs', { timeoutMs: undefined }],
    ['timeoutMs', { timeoutMs: 60_001 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['input', { input: z.string() }],
    ['input', { input: z.object({ at: z.date() }) }],
    ['input', { input: z.object({ id: z.string().transform(Number) }) }],
    ['input', { input: z.object({ _decision: z.string() }) }],
    ['requires', { requires: [{ tool: 'x' }] }],
    ['riskWhen', { risk: 'write', riskWhen: [{ when: { field: 'amount', op: 'above', value: 1 }, risk: 'write' }] }],
    ['execute', { execute: undefined }],
  ])('refuses a bad %s, naming the field and the fix: %o', (field, change) => {
    const error = refusal(change);
    expect(error.field).toBe(field);
    expect(error.message).toMatch(/\. [A-Z].+/);
  });

  test('allows a write that can only end as indeterminate after a crash', () => {
    const tool = defineTool({ ...good, risk: 'dangerous' });
    expect([tool.idempotent, tool.reconcile]).toEqual([false, undefined]);
  });
});
