import { CancelledFailure } from '@temporalio/common';
import type { CallToolInput } from '../contracts/activities.ts';
import type { CallProblemCode } from '../contracts/reasons.ts';
import type { ToolCallResult } from '../contracts/tool-call.ts';
import { fieldsOf, pathsFor } from '../policy/conditions.ts';
import type { ToolContext } from '../tools/define-tool.ts';
import type { CallRecord, LedgerPort } from '../tools/ledger.ts';
import { createRedactor } from '../telemetry/redaction.ts';
import { judgeCall } from '../tools/judge-call.ts';
import { runTool } from '../tools/run-tool.ts';
import { alive, isTaskCancelled } from './alive.ts';
import { auditTask, toolCallEntry } from './audit-task.ts';
import { agentOf, readDefinition, toolNamed } from './definition.ts';
import { emitter } from './emitter.ts';
import { inputOf, taskOf } from './read-input.ts';
import { refuseUnrecorded, replayOf } from './replay-call.ts';
import { sandboxPort } from './sandbox-port.ts';
import type { Services } from './services.ts';
import { recordEvent } from './task-event.ts';

const redactor = createRedactor();

/** Runs one call through the ledger: the bytes that were hashed are the bytes that run, and what began is never silently begun again. */
export function createCallTool(services: Services) {
  return function callTool(input: CallToolInput): Promise<ToolCallResult> {
    return alive(async (signal) => {
      const agent = agentOf(services, input.agent);
      const definition = await readDefinition(services, input);
      const tool = toolNamed(agent, definition, input.call.tool);
      const canonicalArguments = await services.store.blobs.get(input.argumentsHash);
      if (!tool || canonicalArguments === null) throw new Error(`${input.call.tool} or its arguments ${input.argumentsHash} are not here any more`);
      const paths = pathsFor(definition.tools).results[tool.name] ?? [];
      const task = await taskOf(services, input.taskId);
      const replay = await replayOf(services, task, tool, input);
      try {
        const run = await runTool({
          tool,
          canonicalArguments,
          timeoutMs: input.timeoutMs,
          fieldPaths: paths,
          ledger: ledgerOf(services, input, canonicalArguments),
          isCancelled: isTaskCancelled,
          clean: redactor.text,
          ...(replay ? { replay } : {}),
          context: {
            taskId: input.taskId,
            callId: input.call.callId,
            idempotencyKey: `${input.taskId}/${input.call.callId}`,
            signal,
            database: services.store.database as never,
            input: await inputOf(services, input.taskId, task, agent),
            ...portsOf(services, input),
          },
        });
        const { resultHash } = await services.store.toolCalls.judge(input.taskId, input.call.callId, run.verdict);
        if (run.code === 'contract_drift') services.log.error({ task_id: input.taskId, tool: tool.name, code: run.code, reason: run.reason }, 'tool broke its contract');
        refuseUnrecorded(task, run);
        const fields = run.status === 'success' ? fieldsOf(run.value, paths) : {};
        return {
          callId: input.call.callId,
          tool: tool.name,
          status: run.status,
          fields,
          code: run.code,
          reason: run.reason?.slice(0, 500) ?? null,
          retryable: run.retryable,
          stage: run.stage,
          resultHash,
        };
      } catch (error) {
        if (signal.aborted && isTaskCancelled()) throw new CancelledFailure(`${tool.name} was cancelled`, [await knownOf(services, input)]);
        throw error;
      }
    });
  };
}

/** What the ledger says of a call that was cancelled while it ran: the outcome names it where nobody knows. */
async function knownOf({ store }: Services, { taskId, call }: CallToolInput): Promise<{ status: string; reason: string | null } | null> {
  const row = await store.toolCalls.get(taskId, call.callId).catch(() => null);
  return row && { status: row.status, reason: row.reason };
}

/** What a tool may use beside its own: the sandbox, each run with an audit row, and the task's events. */
function portsOf(services: Services, { taskId, attempt, call }: CallToolInput): Pick<ToolContext, 'sandbox' | 'emit'> {
  return { sandbox: sandboxPort(services, taskId, call.callId), emit: emitter(services, taskId, attempt, call.callId) };
}

/** The ledger of `tools/` on the rows of `store/`. */
function ledgerOf({ store }: Services, input: CallToolInput, canonical: string): LedgerPort {
  const { taskId, call, attempt, turn, approvalId } = input;
  const began = Date.now();
  return {
    begin: async (entry) => {
      const row = {
        taskId,
        callId: call.callId,
        attempt,
        turn,
        tool: entry.tool,
        toolVersion: entry.toolVersion,
        risk: call.risk,
        argumentsHash: entry.argumentsHash,
        arguments: canonical,
        idempotencyKey: entry.idempotencyKey,
        approvalId,
        confidence: call.confidence,
        why: call.repaired === undefined ? call.reason : `${call.reason} (arguments repaired)`.trim(),
        executions: 1,
      };
      const begun = await store.transaction(async (transaction) => {
        const begun = await store.toolCalls.begin(row, transaction);
        const detail = { callId: call.callId, turn, tool: entry.tool, risk: call.risk, subject: call.subject, argumentsHash: entry.argumentsHash, approvalId };
        if (begun.state === 'new') await recordEvent({ store }, input, 'tool_call_started', `${call.callId}.started`, detail, transaction);
        return begun;
      });
      if (begun.state === 'new') return { state: 'new' };
      const { row: known } = begun;
      if (known.argumentsHash !== entry.argumentsHash || known.tool !== entry.tool) throw new Error(`call ${call.callId} is in the ledger with other arguments`);
      if (begun.state === 'started') return { state: 'started', executions: known.executions };
      const text = known.resultHash === null ? null : await store.blobs.get(known.resultHash);
      return {
        state: 'finished',
        record: {
          status: known.status as CallRecord['status'],
          text,
          code: known.code as CallProblemCode | null,
          reason: known.reason,
          retryable: known.retryable,
          stage: known.failureStage,
          executions: known.executions,
        },
      };
    },
    countExecution: () => store.toolCalls.countExecution(taskId, call.callId),
    finish: (_entry, record) =>
      store.transaction(async (transaction) => {
        const resultHash = record.text === null ? null : await store.blobs.put(record.text, transaction);
        const ended = await store.toolCalls.finish(
          taskId,
          call.callId,
          {
            status: record.status,
            resultHash,
            code: record.code,
            reason: record.reason,
            retryable: record.retryable,
            failureStage: record.stage,
            executions: record.executions,
            endedAt: new Date(),
            durationMs: Date.now() - began,
            verdict: judgeCall({ tool: call.tool, status: record.status, reason: record.reason, value: record.text, fieldPaths: [] }),
          },
          transaction,
        );
        const { status, code, reason, durationMs } = ended;
        const detail = { callId: call.callId, turn, tool: call.tool, status, code, reason, durationMs, resultHash: ended.resultHash };
        await recordEvent({ store }, input, 'tool_call_finished', `${call.callId}.finished`, detail, transaction);
        await auditTask(store, taskId, [toolCallEntry(input, { ...ended, status: ended.status as CallRecord['status'] })], transaction);
      }),
  };
}
