import type { TakeOutputInput, TakeOutputResult } from '../contracts/activities.ts';
import { canonicalJson } from '../tools/canonical-json.ts';
import { agentOf } from './definition.ts';
import type { Services } from './services.ts';

/** An output that a person wrote: it counts as one where it fits the agent's schema, as JSON or as the text itself. */
export function createTakeOutput(services: Services) {
  return async function takeOutput({ agent: name, text: inline, textHash }: TakeOutputInput): Promise<TakeOutputResult> {
    const text = textHash === null ? inline : await services.store.blobs.get(textHash);
    if (text === null) throw new Error(`the text ${textHash ?? ''} that a person wrote is not in the store`);
    const { output } = agentOf(services, name);
    for (const candidate of [parsed(text), text]) {
      const fits = output.safeParse(candidate);
      if (fits.success) return { outputHash: await services.store.blobs.put(canonicalJson(JSON.parse(JSON.stringify(fits.data)))) };
    }
    return { outputHash: null };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
