/** Runs of `learn` for people. */
import type { FindingView, LearnRunDetail, LearnRunView } from '../contracts/api/learn.ts';
import type { Output } from './output.ts';
import { count, cut, percent, time, usd } from './text/format.ts';
import { safe } from './text/safe.ts';

export function printRun(output: Output, run: LearnRunDetail): void {
  const { paint, print } = output;
  print(safe`${paint.bold(run.learnId)} · ${run.agent} · ${run.endedAt ? 'ended' : paint.yellow('runs')} · by ${run.startedBy}, ${time(new Date(run.startedAt))}`);
  print(
    safe`${run.failedAttempts} of ${count(run.attempts, 'attempt')} since ${time(new Date(run.since))} did not pass: ${count(run.clusters, 'cluster')}, ${count(run.proposed, 'proposal')}, ${run.refused} refused${run.costMicros > 0 ? `, ${usd(run.costMicros)}` : ''}`,
  );
  for (const finding of run.findings) printFinding(output, finding);
}

function printFinding({ paint, print }: Output, finding: FindingView): void {
  print();
  print(
    safe`${paint.bold(percent(finding.share))} of failed attempts · ${count(finding.tasks, 'task')} ${trendOf(finding.trend)} · ${paint.dim(finding.signature)} · cluster ${finding.clusterId}`,
  );
  print(safe`  ${finding.label}`);
  for (const { taskId, attempt, quote } of finding.examples) print(paint.dim(safe`  from ${taskId}, attempt ${attempt}: “${cut(quote, 160)}”`));
  for (const { tier, by, content, code, reason } of finding.refusals)
    print(safe`  ${paint.red('refused')} (${code.replaceAll('_', ' ')}) ${tier.replaceAll('_', ' ')} by ${by}: “${cut(content, 160)}” ${reason}`);
  if (finding.rule)
    print(safe`  ${paint.green('in review')} rule ${finding.rule.ruleId} version ${finding.rule.version} ${paint.dim(`· rules approve ${finding.rule.ruleId} --reason "…"`)}`);
  print(safe`  ${finding.why ?? 'Nothing was done about it yet.'}`);
}

function trendOf(trend: number): string {
  return trend === 0 ? '(steady)' : trend > 0 ? `(↑ ${trend} more lately)` : `(↓ ${-trend} fewer lately)`;
}

export function printRuns({ paint, print, table }: Output, runs: readonly LearnRunView[]): void {
  if (runs.length === 0) return print(safe`Nothing was learned yet: start with learn run.`);
  table(
    ['run', 'agent', 'started', 'failed', 'clusters', 'proposed', 'refused'],
    runs.map((run) => [run.learnId, run.agent, time(new Date(run.startedAt)), run.failedAttempts, run.clusters, run.proposed, run.refused]),
    [3, 4, 5, 6],
  );
  print(paint.dim(count(runs.length, 'run')));
}
