/** Agents whose tasks the pages of tasks are tried with. */
import { z } from 'zod';
import { scriptedAgent, type ScriptedRequest } from '../../src/models/scripted/script.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answerWith, callTool, corrections, probeAgent, readNote } from '../support/agents.ts';

/** In several pieces when it is streamed. */
export const FIRST_DRAFT = 'This draft says a lot about the weather in spring, about trains that run late, and nothing that was asked for.';
export const GOOD_ANSWER = 'This is a good answer. It says what was asked for, in as many words as it takes to be seen while it is being written by the model.';

const QUESTION = 'Which note do you mean?';

/** Changes something: a person must allow it. */
const writeNote = defineTool({
  name: 'write_note',
  version: '1.0.0',
  releasedAt: '2026-01-01',
  description: 'Writes a note.',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ written: z.boolean() }),
  risk: 'write',
  timeoutMs: 5_000,
  idempotent: true,
  execute: async () => ({ written: true }),
});

const preview = (partial: unknown): string | null => (partial as { text?: string } | null)?.text ?? null;

export const probe = probeAgent({
  input: z.strictObject({ task: z.string().min(1).max(4_000) }),
  tools: [readNote, writeNote],
  preview,
  chat: (text) => ({ task: text }),
  approvals: { read: 'auto', write: 'one', dangerous: 'two' },
  limits: { approvalTimeoutMs: 600_000 },
});

/** Reads a note, drafts something bad, is corrected, and answers well. A task can say that it is to write, or to ask. */
export const probeScript = scriptedAgent({
  decide: (request: ScriptedRequest) => {
    const said = request.users().join('\n');
    if (/write (it|the)/.test(said) && request.toolResults('write_note').length === 0) return callTool('write_note', { name: 'plan' });
    if (request.lastUser().includes('ask me')) return { content: { type: 'ask', output: null, question: QUESTION, confidence: 0.9, reason: 'there are two' } };
    if (request.toolResults('read_note').length === 0) return callTool('read_note', { name: 'spring' });
    return corrections(request) === 0 ? answerWith(FIRST_DRAFT) : answerWith(GOOD_ANSWER);
  },
});
