/** Small agents for tests of the loop. */
import { z } from 'zod';
import { defineAgent, type Agent } from '../../src/agents/define-agent.ts';
import { defineEvaluator } from '../../src/evaluation/define-evaluator.ts';
import type { ScriptedRequest } from '../../src/models/scripted/script.ts';
import { defineTool } from '../../src/tools/define-tool.ts';

export type ProbeInput = { task: string };
export type ProbeOutput = { text: string };

/** Passes an output that says "good". */
export const saysGood = defineEvaluator<ProbeInput, ProbeOutput>({
  name: 'says_good',
  kind: 'rule',
  hard: true,
  evaluate: ({ output }) =>
    output.text.includes('good')
      ? { passed: true, score: 100, issues: [], keep: ['the word good'], evidence: 'the text says good' }
      : {
          passed: false,
          score: 20,
          issues: [{ type: 'missing_word', message: 'the text does not say good', fix: 'say good', severity: 'high', subject: output.text }],
          evidence: output.text,
        },
});

/** Reads a note by its name: no effect. */
export const readNote = defineTool({
  name: 'read_note',
  version: '1.0.0',
  releasedAt: '2026-01-01',
  description: 'Reads a note.',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ name: z.string(), text: z.string() }),
  risk: 'read',
  timeoutMs: 5_000,
  execute: async ({ name }) => ({ name, text: `note ${name}` }),
});

/** An agent with the least: one evaluator, no perception, plan or review. */
export function probeAgent(more: Partial<Agent<ProbeInput, ProbeOutput>> = {}): Agent<ProbeInput, ProbeOutput> {
  return defineAgent<ProbeInput, ProbeOutput>({
    name: 'probe',
    version: '1.0.0',
    goal: { summary: 'Answer.', success: ['the answer says good'] },
    input: z.strictObject({ task: z.string() }),
    output: z.strictObject({ text: z.string() }),
    instructions: 'You are a probe. Answer.',
    tools: [readNote],
    evaluators: [saysGood],
    limits: {},
    parameters: {},
    approvals: { read: 'auto', write: 'auto', dangerous: 'one' },
    perceive: null,
    plan: false,
    review: false,
    renderInput: ({ task }) => task,
    renderOutput: ({ text }) => text,
    closingText: (reason) => `The task ended: ${reason}.`,
    language: () => 'en',
    migrations: {},
    ...more,
  });
}

/** The answer of a decide stage. */
export function answerWith(text: string, confidence = 0.9) {
  return { content: { type: 'answer', output: { text }, question: null, confidence, reason: 'this is the answer' } };
}

/** How many corrections the conversation holds. */
export function corrections(request: ScriptedRequest): number {
  return request.users().filter((text) => text.startsWith('<correction>')).length;
}

export function callTool(name: string, args: object, confidence = 0.9) {
  return { toolCalls: [{ name, arguments: { ...args, _decision: { reason: `need ${name}`, confidence } } }] };
}
