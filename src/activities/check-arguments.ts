import type { CheckArgumentsInput, CheckArgumentsResult } from '../contracts/activities.ts';
import { cutText, oneLine } from '../policy/text.ts';
import { canonicalJson } from '../tools/canonical-json.ts';
import { agentOf, readDefinition } from './definition.ts';
import { prepareCalls } from './prepare-calls.ts';
import type { Services } from './services.ts';

/** An approver's edit goes the way of a model's arguments before it counts. `changed`: it would run as other bytes than were sent. */
export function createCheckArguments(services: Services) {
  return async function checkArguments({ call, edited: inline, editedHash, ...place }: CheckArgumentsInput): Promise<CheckArgumentsResult> {
    const edited = editedHash === null ? inline : await services.store.blobs.get(editedHash);
    if (edited === null) throw new Error(`the edit ${editedHash ?? ''} of ${call.callId} is not in the store`);
    const definition = await readDefinition(services, place);
    const [prepared] = prepareCalls(agentOf(services, place.agent), definition, [{ id: call.providerCallId, name: call.tool, arguments: edited }], '');
    if (!prepared) throw new Error('an edit prepares exactly one call');
    if (prepared.call.problem || prepared.canonical === null) return { call, changed: false, difference: '', problem: prepared.call.problem };
    await services.store.blobs.put(prepared.canonical);
    const before = call.argumentsHash === null ? null : await services.store.blobs.get(call.argumentsHash);
    const edit = { ...prepared.call, callId: call.callId, confidence: call.confidence, reason: call.reason };
    return { call: edit, changed: prepared.canonical !== canonicalJson(JSON.parse(edited)), difference: differenceOf(before, prepared.canonical), problem: null };
  };
}

const MAX_DIFFERENCE = 2_000;
const MAX_VALUE = 400;

/** Field by field, what was and what is; for the model. */
function differenceOf(before: string | null, after: string): string {
  const [was, is] = [fieldsIn(before), fieldsIn(after)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
  if (names.length === 0) return 'nothing';
  const text = names.map((name) => `${name} is ${shown(is[name])}${name in was ? ` instead of ${shown(was[name])}` : ''}`).join('; ');
  return cutText(text, MAX_DIFFERENCE);
}

function shown(value: unknown): string {
  return value === undefined ? 'left out' : oneLine(JSON.stringify(value), MAX_VALUE);
}

function fieldsIn(json: string | null): Record<string, unknown> {
  const value: unknown = json === null ? null : JSON.parse(json);
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
