/** A tool with an effect that can be counted. */
import { z } from 'zod';
import type { Risk } from '../../src/contracts/reasons.ts';
import { defineTool } from '../../src/tools/define-tool.ts';

/** Pays; `effects` gets each amount that was paid. Above `dangerousAbove` it is dangerous whatever its own risk. */
export function transferTool(effects: number[], { risk = 'dangerous' as Risk, name = 'transfer', dangerousAbove = null as number | null } = {}) {
  return defineTool({
    name,
    version: '1.0.0',
    releasedAt: '2026-01-01',
    description: 'Transfers money.',
    input: z.strictObject({ amount: z.int(), note: z.string().optional() }),
    output: z.object({ done: z.boolean() }),
    risk,
    ...(dangerousAbove === null ? {} : { riskWhen: [{ when: { field: 'amount', op: 'above' as const, value: dangerousAbove }, risk: 'dangerous' as const }] }),
    timeoutMs: 5_000,
    execute: async ({ amount }) => {
      effects.push(amount);
      return { done: true };
    },
  });
}
