/** A conversation with an agent, over several tasks. */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { agents } from '../../agents/index.ts';
import type { AnyAgent } from '../../agents/define-agent.ts';
import type { Principal } from '../../contracts/identity.ts';
import { DEFAULT_TENANT } from '../../contracts/names.ts';
import { ChatError, createChat } from '../../live/chat.ts';
import { createWatcher, type Watcher } from '../../live/watch.ts';
import type { ChatMessageRow, ChatSessionRow } from '../../store/chat-sessions.ts';
import { agentNamed } from '../agents.ts';
import { type Attached, storeOf, withStack } from '../attached.ts';
import { awaitReply } from '../chat/reply.ts';
import { UsageError } from '../errors.ts';
import { withExamples } from '../examples.ts';
import { createLiveArea, plainArea } from '../live/live-area.ts';
import { createOutput, type Output } from '../output.ts';
import { processTerminal, type Terminal } from '../terminal.ts';
import { lines, safe } from '../text/safe.ts';
import { ALL_ROLES, currentUser } from '../user.ts';

interface ChatOptions {
  session?: string;
  as: string;
  json?: boolean;
}

const ALL: Record<string, AnyAgent> = agents;
const MAX_MESSAGES = 1_000;

export function addChat(program: Command, terminal: Terminal = processTerminal): void {
  withExamples(program.command('chat [agent]'), 'chat support', 'chat --session 0b7c6c1e-5f0b-4d4f-9a52-3f0f5f6f8a11')
    .description('talk with an agent, line by line; drafts are shown as they are written, Ctrl-D ends')
    .option('--session <id>', 'go on with this conversation')
    .option('--as <who>', 'who talks', currentUser())
    .option('--json', 'print each reply as a line of JSON')
    .action((agent: string | undefined, options: ChatOptions) => chat(terminal, agent, options));
}

async function chat(terminal: Terminal, name: string | undefined, { session: sessionId, as, json }: ChatOptions): Promise<void> {
  if (name === undefined && sessionId === undefined) throw new UsageError(`With whom? ${chatting()}`);
  const output = createOutput({ terminal, json, piped: 'text' });
  await withStack(terminal, async (stack) => {
    if (stack.databaseUrl === null) storeOf(stack);
    const watcher = createWatcher({ databaseUrl: stack.databaseUrl!, store: storeOf(stack) });
    try {
      const session = sessionId === undefined ? await open(stack, name!, as) : await find(stack, sessionId, name);
      await converse(stack, watcher, terminal, output, session, as);
    } finally {
      await watcher.close();
    }
  });
}

function chatting(): string {
  return `These chat: ${Object.values(ALL)
    .flatMap((agent) => (agent.chat ? agent.name : []))
    .join(', ')}.`;
}

async function open(stack: Attached, name: string, as: string): Promise<ChatSessionRow> {
  if (!agentNamed(name).chat) throw new UsageError(`Agent "${name}" does not chat. ${chatting()}`);
  return createChat({ loopwright: stack.loopwright, store: storeOf(stack), agents: ALL }).open({ tenant: DEFAULT_TENANT, agent: name, subject: as });
}

async function find(stack: Attached, sessionId: string, name: string | undefined): Promise<ChatSessionRow> {
  const session = await storeOf(stack).chatSessions.get(sessionId);
  if (!session) throw new Error(`There is no conversation ${sessionId}.`);
  if (name !== undefined && session.agent !== name) throw new UsageError(`The conversation ${sessionId} is with ${session.agent}, not with ${name}.`);
  return session;
}

async function converse(stack: Attached, watcher: Watcher, terminal: Terminal, output: Output, session: ChatSessionRow, as: string): Promise<void> {
  const store = storeOf(stack);
  const service = createChat({ loopwright: stack.loopwright, store, agents: ALL });
  const principal: Principal = { subject: as, tenant: DEFAULT_TENANT, roles: ALL_ROLES, via: 'local', credentialId: null };
  const { sessionId } = session;
  const earlier = await store.chatSessions.listAfter(sessionId, 0, MAX_MESSAGES);
  output.note(output.paint.dim(safe`Conversation ${sessionId} with ${session.agent}. Ctrl-D ends it; npm run loopwright -- chat --session ${sessionId} goes on with it.`));
  if (!output.json) for (const message of earlier) sayMessage(output, session.agent, message);
  let after = earlier.at(-1)?.number ?? 0;
  for await (const text of linesOf(terminal, output)) {
    if (text.trim() === '') continue;
    const running = (await store.chatSessions.get(sessionId))?.taskId ?? null;
    const seen = running === null ? 0 : ((await store.taskEvents.last(running)) ?? 0);
    const sent = await service.send(sessionId, { text, messageId: randomUUID() }, principal).catch((error: unknown) => {
      // too long, too fast: the person may say it otherwise
      if (!(error instanceof ChatError)) throw error;
      output.note(safe`${output.paint.red('✗')} ${error.message}`);
      return null;
    });
    if (!sent) continue;
    const area = output.live ? createLiveArea(output.screen) : plainArea(output.note);
    const replies = await awaitReply({
      stack,
      watcher,
      agent: agentNamed(session.agent),
      sessionId,
      taskId: sent.taskId,
      paint: output.paint,
      area,
      after,
      since: sent.taskId === running ? seen : 0,
    });
    for (const reply of replies) sayMessage(output, session.agent, reply);
    after = replies.at(-1)?.number ?? after;
  }
}

function sayMessage({ json, printJson, print, paint }: Output, agent: string, { role, text, taskId, messageId }: ChatMessageRow): void {
  if (json) {
    if (role === 'assistant') printJson({ messageId, role, text, taskId });
    return;
  }
  const [first, ...rest] = lines(text);
  print(safe`${role === 'user' ? paint.dim('you') : paint.bold(agent)} › ${first ?? ''}`);
  for (const line of rest) print(safe`  ${line}`);
}

/** What is typed, or piped in. */
async function* linesOf({ stdin, stdout }: Terminal, output: Output): AsyncGenerator<string> {
  const typed = output.live && Boolean(stdin.isTTY);
  const reader = createInterface({ input: stdin, terminal: typed, ...(typed ? { output: stdout } : {}) });
  const ask = (): void => {
    if (!typed) return;
    reader.setPrompt('you › ');
    reader.prompt();
  };
  try {
    ask();
    for await (const line of reader) {
      yield line;
      ask();
    }
  } finally {
    reader.close();
  }
}
