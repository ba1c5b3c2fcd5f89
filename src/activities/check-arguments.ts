import type { CheckArgumentsInput, CheckArgumentsResult } from '../contracts/activities.ts';
import { canonicalJson } from '../tools/canonical-json.ts';
import { agentOf, readDefinition } from './definition.ts';
import { prepareCalls } from './prepare-calls.ts';
import type { Services } from './services.ts';

/** An approver's edit goes the way of a model's arguments before it counts. `changed`: it would run as other bytes than were sent. */
export function createCheckArguments(services: Services) {
  return async function checkArguments({ call, edited, ...place }: CheckArgumentsInput): Promise<CheckArgumentsResult> {
    const definition = await readDefinition(services, place);
    const [prepared] = prepareCalls(agentOf(services, place.agent), definition, [{ id: call.providerCallId, name: call.tool, arguments: edited }], '');
    if (!prepared) throw new Error('an edit prepares exactly one call');
    if (prepared.call.problem || prepared.canonical === null) return { call, changed: false, problem: prepared.call.problem };
    await services.store.blobs.put(prepared.canonical);
    const edit = { ...prepared.call, callId: call.callId, confidence: call.confidence, reason: call.reason };
    return { call: edit, changed: prepared.canonical !== canonicalJson(JSON.parse(edited)), problem: null };
  };
}
