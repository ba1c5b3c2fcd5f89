import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scriptedAgent } from '../../src/models/scripted/script.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { answerWith, callTool, probeAgent } from '../support/agents.ts';
import { startLoop, type Loop } from '../support/loop.ts';

const TURNS = 400;

/** ~1 KB a page, 100 KB every 20th. */
const readPage = defineTool({
  name: 'read_page',
  version: '1.0.0',
  releasedAt: '2026-01-01',
  description: 'Reads a page.',
  input: z.strictObject({ page: z.int() }),
  output: z.object({ page: z.int(), text: z.string() }),
  risk: 'read',
  timeoutMs: 5_000,
  execute: async ({ page }) => ({ page, text: `page ${page} `.repeat(page % 20 === 0 ? 10_000 : 100) }),
});

describe(`a task of ${TURNS} turns`, () => {
  let loop: Loop;
  beforeAll(async () => {
    loop = await startLoop({
      agents: {
        probe: probeAgent({
          tools: [readPage],
          limits: { maxTurns: 500, turnsPerRun: 150, maxTotalTokens: 1_000_000_000, maxCostMicros: 1_000_000_000_000, contextTokens: 8_000, toolResultChars: 2_000 },
        }),
      },
      scripts: {
        probe: scriptedAgent({
          // The last page is the newest result, or is kept word for word by the summary.
          decide: (request) => {
            const last = Math.max(0, ...[...request.transcript().matchAll(/read_page\.page=(\d+)|"page":(\d+)/g)].map((match) => Number(match[1] ?? match[2])));
            return last >= TURNS ? answerWith('good') : callTool('read_page', { page: last + 1 });
          },
          compact: () => ({ content: 'Pages were read one after another.' }),
        }),
      },
    });
  });
  afterAll(() => loop.stop());

  it('keeps history flat and survives continue-as-new', async () => {
    const task = await loop.client.start('probe', { task: 'read all pages' });
    const outcome = await task.result();
    expect(outcome).toMatchObject({ outcome: 'passed', toolCalls: TURNS, turns: TURNS + 1 });
    const { bytes, runs, starts } = await bytesByTurn(loop, task.taskId);
    const early = mean(bytes.slice(10, 110));
    const late = mean(bytes.slice(300, 400));
    console.info(
      `history: ${runs} runs, ${early.toFixed(0)} bytes a turn in turns 10-110, ${late.toFixed(0)} in turns 300-400; continue-as-new carries ${starts.join(', ')} bytes`,
    );
    expect(Math.abs(late - early) / early).toBeLessThan(0.1);
    expect(runs).toBeGreaterThanOrEqual(3);
    expect(Math.max(...starts)).toBeLessThan(600);
  }, 180_000);
});

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Bytes of all events from one `decide` to the next, over every run of the task, and the size of each continued run's input. */
async function bytesByTurn(loop: Loop, taskId: string): Promise<{ bytes: number[]; runs: number; starts: number[] }> {
  const bytes: number[] = [];
  const starts: number[] = [];
  let runId: string | undefined = (await firstRun(loop, taskId)) ?? undefined;
  let runs = 0;
  while (runId) {
    runs += 1;
    const { events } = await loop.temporal.workflow.getHandle(taskId, runId).fetchHistory();
    runId = undefined;
    for (const event of events ?? []) {
      if (event.activityTaskScheduledEventAttributes?.activityType?.name === 'decide') bytes.push(0);
      if (bytes.length > 0) bytes[bytes.length - 1]! += temporal.api.history.v1.HistoryEvent.encode(event).finish().length;
      const next = event.workflowExecutionContinuedAsNewEventAttributes;
      if (!next) continue;
      runId = next.newExecutionRunId ?? undefined;
      starts.push((next.input?.payloads ?? []).reduce((sum, payload) => sum + (payload.data?.length ?? 0), 0));
    }
  }
  return { bytes, runs, starts };
}

async function firstRun(loop: Loop, taskId: string): Promise<string | null | undefined> {
  return (await loop.temporal.workflow.getHandle(taskId).describe()).raw.workflowExecutionInfo?.firstRunId;
}
