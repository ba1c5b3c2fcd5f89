/**
 * Faults from public reports (`../shared/cases/reports.jsonl`), each a test named by its id. The cases of a file share one loop and run side by
 * side: every probe is an agent of its own, so scripts, faults and requests don't mix.
 */
import type { AnyAgent } from '../../../src/agents/define-agent.ts';
import { Loopwright, type StartOptions, type TaskHandle, type WaitingActivity } from '../../../src/client.ts';
import type { Approval } from '../../../src/contracts/approval.ts';
import type { Outcome } from '../../../src/contracts/outcome.ts';
import type { Fault } from '../../../src/models/scripted/faults.ts';
import { scriptedAgent, type ScriptedAgent, type ScriptedReply, type ScriptedRequest } from '../../../src/models/scripted/script.ts';
import type { LoggedRequest } from '../../../src/models/scripted/server.ts';
import type { TaskView } from '../../../src/store/task-view.ts';
import { probeAgent } from '../../support/agents.ts';
import { startLoop, until, type Loop, type LoopOptions } from '../../support/loop.ts';

export type Script = (request: ScriptedRequest) => ScriptedReply;
export interface Probe {
  name: string;
  /** Faults of this probe's calls alone, in order. */
  fail(...faults: Fault[]): void;
  start(options?: StartOptions & { task?: string }): Promise<TaskHandle>;
  /** Starts a task and waits for its end. */
  run(options?: StartOptions & { task?: string }): Promise<Outcome>;
  /** What the model server was asked; of one stage when named. */
  requests(stage?: string): LoggedRequest[];
}

export interface Reports {
  loop: Loop;
  /** @param stages one function for `decide`, or one per stage. */
  probe(name: string, agent: Partial<AnyAgent>, stages: Script | Record<string, Script>): Probe;
  view(taskId: string): Promise<TaskView>;
}

export async function startReports(options: Partial<LoopOptions> = {}): Promise<Reports> {
  const agents: Record<string, AnyAgent> = {};
  const scripts: Record<string, ScriptedAgent> = {};
  const loop = await startLoop({ agents, scripts, ...options });
  // on a busy machine a worker may take its time, and what is stored is not enough here
  loop.client = new Loopwright({ temporal: loop.temporal, taskQueue: loop.taskQueue, store: loop.database.store, queryTimeoutMs: 20_000, signer: loop.signer('approver') });
  return {
    loop,
    probe(title, agent, stages) {
      const name = title.replaceAll(/\W+/g, '_');
      agents[name] = probeAgent({ ...agent, name }) as AnyAgent;
      scripts[name] = scriptedAgent(typeof stages === 'function' ? { decide: stages } : stages);
      const start: Probe['start'] = ({ task = 'do it', ...more } = {}) => loop.client.start(name, { task }, more);
      return {
        name,
        start,
        fail: (...faults) =>
          loop.model.faults.push(...faults.map((fault) => ({ ...fault, when: (request: ScriptedRequest) => request.agent === name && (fault.when?.(request) ?? true) }))),
        run: async (more) => (await start(more)).result(),
        requests: (stage) => loop.model.requests.filter((request) => request.agent === name && (stage === undefined || request.stage === stage)),
      };
    },
    async view(taskId) {
      const view = await loop.database.store.taskView(taskId);
      if (!view) throw new Error(`no facts of task ${taskId}`);
      return view;
    },
  };
}

/** The activity that waits for its next try, from the live state. */
export async function waitingActivity(task: TaskHandle): Promise<WaitingActivity> {
  return until('an activity that waits for its next try', async () => (await task.state()).waitingActivities[0]);
}

/** The oldest approval that waits for a person. @param among choose one by its id */
export async function pendingApproval(task: TaskHandle, among: (approval: Approval) => boolean = () => true): Promise<Approval> {
  return until('a pending approval', async () => (await task.state()).approvals.find((approval) => approval.status === 'pending' && among(approval)));
}

/** Messages of a logged request, as they were on the wire. */
export function sent(
  request: LoggedRequest | undefined,
): { role: string; content: string | null; tool_call_id?: string; tool_calls?: { id: string; function: { name: string; arguments: string } }[] }[] {
  return (request?.body as { messages: ReturnType<typeof sent> } | undefined)?.messages ?? [];
}

/** Texts of the tool results that a request carried. */
export function resultsSent(request: LoggedRequest | undefined): string[] {
  return sent(request)
    .filter((message) => message.role === 'tool')
    .map((message) => message.content ?? '');
}

/** Everything that history holds, as one text with payloads decoded. */
export async function historyText(loop: Loop, taskId: string): Promise<string> {
  const { events } = await loop.temporal.workflow.getHandle(taskId).fetchHistory();
  // a payload writes its bytes as base64
  return JSON.stringify(events, (key, value: unknown) => (key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : value));
}

/** Names of the activities that a task's latest run scheduled, with their inputs as text. */
export async function scheduled(loop: Loop, taskId: string): Promise<{ activity: string; input: string }[]> {
  const { events } = await loop.temporal.workflow.getHandle(taskId).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduling }) =>
    scheduling
      ? [{ activity: scheduling.activityType?.name ?? '', input: (scheduling.input?.payloads ?? []).map((payload) => Buffer.from(payload.data ?? []).toString('utf8')).join('') }]
      : [],
  );
}

/** Refused messages make history so long that Temporal suggests to continue as new (at 4 MB); one at a time, for a worker can't take more than 4 MB at once. */
export async function growUntilNextRun(loop: Loop, taskId: string): Promise<void> {
  const workflow = loop.temporal.workflow.getHandle(taskId);
  const { runId, historyLength } = await workflow.describe();
  let length = historyLength;
  for (;;) {
    await workflow.signal('tune', 'x'.repeat(1_500_000));
    const next = await until('the signal to be handled', async () => {
      const now = await workflow.describe();
      return now.runId !== runId || now.historyLength >= length + 4 ? now : null;
    });
    if (next.runId !== runId) return;
    length = next.historyLength;
  }
}
