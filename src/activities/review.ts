import type { ReviewInput, ReviewResult } from '../contracts/activities.ts';
import { alive } from './alive.ts';
import { appendAll, toChat } from './append-messages.ts';
import { agentOf } from './definition.ts';
import { taskOf } from './read-input.ts';
import type { Services } from './services.ts';
import { askUntilRead, readAs } from './structured.ts';
import { recordEvent } from './task-event.ts';

const REQUEST =
  '[notice from the system] Review your own draft above against your instructions and the data: is every fact in it supported, is it complete, is the tone right? Return the output in full: corrected where it needs it, else unchanged.';

/** The writer reads its own draft; a review that can't be used leaves the draft as it is. */
export function createReview(services: Services) {
  return function review(input: ReviewInput): Promise<ReviewResult> {
    return alive(async (signal) => {
      const { store } = services;
      const agent = agentOf(services, input.agent);
      const { snapshot } = await taskOf(services, input.taskId);
      const head = await appendAll(services, input, input.head, input.appends, snapshot.limits);
      const asked = await askUntilRead(
        services,
        {
          place: input,
          stage: 'review',
          key: `review.a${input.attempt}.t${input.turn}`,
          route: snapshot.writer,
          parameters: input.parameters,
          timeoutMs: input.timeoutMs,
          reserved: input.reserved,
          signal,
          responseFormat: { name: 'output', schema: agent.output },
          messages: [...toChat(await store.conversations.read(head)), { role: 'user', content: REQUEST }],
        },
        readAs(agent.output),
      );
      if (asked.problem)
        return { head, usage: asked.usage, contextTokens: await store.conversations.tokens(head), problem: asked.problem, outputHash: input.outputHash, changed: false };
      const text = JSON.stringify(asked.value);
      const outputHash = await store.blobs.put(text);
      const changed = outputHash !== input.outputHash;
      const after = changed
        ? await store.conversations.append(head, [
            { role: 'user', content: REQUEST, label: 'notice' },
            { role: 'assistant', content: text, label: 'draft' },
          ])
        : head;
      await recordEvent(services, input, 'draft_reviewed', `review.a${input.attempt}.t${input.turn}`, { changed, outputHash });
      return { head: after, usage: asked.usage, contextTokens: await store.conversations.tokens(after), problem: null, outputHash, changed };
    });
  };
}
