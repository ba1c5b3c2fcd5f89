import { describe, expect, it } from 'vitest';
import { chatLineSchema, dpoLineSchema } from '../../../src/datasets/fine-tune/formats.ts';

const ask = { role: 'user', content: 'How much?' };
const call = { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }] };
const result = { role: 'tool', tool_call_id: 'c1', content: '7' };
const answer = { role: 'assistant', content: 'Seven.' };
const tool = { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } };

const fits = (messages: object[], more: object = {}): boolean => chatLineSchema.safeParse({ messages, ...more }).success;

describe('the formats of fine-tuning', () => {
  it('chat: calls are answered at once, and it ends with an answer to learn', () => {
    expect(fits([ask, answer])).toBe(true);
    expect(fits([ask, call, result, answer], { tools: [tool] })).toBe(true);
    expect(fits([ask, { ...answer, weight: 0 }, ask, answer])).toBe(true);
    expect(fits([ask, call, answer])).toBe(false);
    expect(fits([ask, result, answer])).toBe(false);
    expect(fits([ask, { ...answer, weight: 0 }])).toBe(false);
    expect(fits([ask, call, result])).toBe(false);
    expect(fits([answer])).toBe(false);
    expect(fits([ask, { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: 'none' } }] }, result, answer])).toBe(false);
    expect(fits([ask, answer], { surprise: 1 })).toBe(false);
    expect(fits([ask, answer], { tools: [] })).toBe(false);
  });

  it('dpo: one preferred and one other answer to the same messages', () => {
    const line = { input: { messages: [ask] }, preferred_output: [answer], non_preferred_output: [{ role: 'assistant', content: 'Eight.' }] };
    expect(dpoLineSchema.safeParse(line).success).toBe(true);
    expect(dpoLineSchema.safeParse({ ...line, non_preferred_output: [answer] }).success).toBe(false);
    expect(dpoLineSchema.safeParse({ ...line, preferred_output: [] }).success).toBe(false);
    expect(dpoLineSchema.safeParse({ ...line, input: { messages: [] } }).success).toBe(false);
  });
});
