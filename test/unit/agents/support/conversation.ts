import { registry } from '../../../../src/agents/index.ts';
import { renderSupportInput } from '../../../../src/agents/support/render.ts';
import type { SupportInput } from '../../../../src/agents/support/schemas.ts';
import { readRequest } from '../../../../src/models/scripted/read-request.ts';
import type { ScriptedReply } from '../../../../src/models/scripted/script.ts';
import { renderProblem, renderResult } from '../../../../src/tools/render-result.ts';
import { toolSpec } from '../../../../src/tools/tool-spec.ts';

const { agent } = registry.support;

/** A conversation as the loop sends it, to ask the script about. */
export class Conversation {
  readonly messages: Record<string, unknown>[];
  #calls = 0;

  constructor(message: string, input: Partial<SupportInput> = {}) {
    this.messages = [
      { role: 'system', content: agent.instructions },
      { role: 'user', content: renderSupportInput({ message, customerId: 'C100', ...input }) },
    ];
  }

  user(content: string): this {
    this.messages.push({ role: 'user', content });
    return this;
  }
  result(tool: string, args: object, value: unknown): this {
    return this.#ended(tool, args, renderResult(JSON.stringify(value), { tool, status: 'success', maxChars: 8_000, hash: null }).text);
  }
  problem(tool: string, args: object, code: Parameters<typeof renderProblem>[0], message: string, status: Parameters<typeof renderProblem>[2] = 'denied'): this {
    return this.#ended(tool, args, renderProblem(code, message, status));
  }
  #ended(tool: string, args: object, content: string): this {
    this.#calls += 1;
    const id = `call_${this.#calls}`;
    this.messages.push(
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } }] },
      { role: 'tool', tool_call_id: id, content },
    );
    return this;
  }

  ask(stage: string, more: Record<string, unknown> = {}): ScriptedReply {
    const tools = agent.tools.map((tool) => ({ type: 'function', function: toolSpec(tool) }));
    return registry.support.script.respond(readRequest({ model: 'scripted', messages: this.messages, tools, ...more }, { agent: 'support', stage, key: 'k' }));
  }
  /** The tools that it calls next, or the answer's type. */
  next(): string[] | string {
    const reply = this.ask('decide');
    return reply.toolCalls ? reply.toolCalls.map(({ name }) => name) : String((reply.content as { type: string }).type);
  }
  output(): Record<string, unknown> {
    return (this.ask('decide').content as { output: Record<string, unknown> }).output;
  }
}
