import type { AnyAgent } from '../agents/define-agent.ts';
import { parseJsonText } from '../models/structured-output.ts';
import { fieldsOf, pathsFor } from '../policy/conditions.ts';
import { riskOf } from '../policy/risk.ts';
import { prepareCall, type ParsedArguments, type PreparedCall } from '../tools/prepare-call.ts';
import { toolNamed, type Definition } from './definition.ts';

/** What the model asked for, as calls that can be guarded: parsed, coerced by schema, canonical, hashed. Tools outside the snapshot are unknown. */
export function prepareCalls(agent: AnyAgent, definition: Definition, toolCalls: { id: string; name: string; arguments: string }[], turnId: string): PreparedCall[] {
  const paths = pathsFor(definition.tools);
  const allowed = definition.tools.flatMap(({ name }) => toolNamed(agent, definition, name) ?? []);
  return toolCalls.map((call, index) =>
    prepareCall({
      tools: allowed,
      providerCallId: call.id,
      callId: `${turnId}.c${index + 1}`,
      name: call.name,
      argumentsText: call.arguments,
      parsed: parseArguments(call.arguments),
      confidence: null,
      reason: '',
      fieldPaths: paths.arguments[call.name] ?? [],
      riskOf,
      fieldsOf,
    }),
  );
}

/** Providers send an empty text for a call without arguments. */
function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { ok: true, value: {}, repaired: false };
  const parsed = parseJsonText(text, { expect: 'object' });
  return parsed.ok ? { ok: true, value: parsed.value, repaired: parsed.repaired } : { ok: false, message: parsed.message };
}
