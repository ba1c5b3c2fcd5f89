/** Rules as people read them. */
import type { RulePayload } from '../../contracts/learning.ts';
import type { Row } from '../../store/schema.ts';
import type { CitedChunk } from '../../store/rules-chunks.ts';
import type { RuleRow, TransitionRow } from '../../store/rules.ts';
import type { Output } from '../output.ts';
import { cut, percent, time } from '../text/format.ts';
import { join, type Paint, safe, type Safe } from '../text/safe.ts';

const STATUS_COLOURS: Record<RuleRow['status'], keyof Paint> = {
  candidate: 'cyan',
  in_review: 'yellow',
  preview: 'yellow',
  canary: 'magenta',
  live: 'green',
  retired: 'dim',
  rejected: 'red',
};

export function statusOf(paint: Paint, status: RuleRow['status']): Safe {
  return paint[STATUS_COLOURS[status]](status.replaceAll('_', ' '));
}

/** One version: what it says, where it stands, where it comes from. */
export function printRule({ paint, print }: Output, rule: RuleRow): void {
  const share = rule.status === 'canary' || rule.status === 'live' ? `${percent(rule.trafficShare)} of tasks` : null;
  const kind = rule.kind === 'sentence' ? null : rule.kind.replaceAll('_', ' ');
  const facts = [rule.agent, rule.tenant === 'default' ? null : rule.tenant, kind, statusOf(paint, rule.status), share, rule.forced ? paint.red('forced') : null];
  print(safe`${paint.bold(rule.ruleId)} version ${rule.version} · ${join(facts, ' · ')} · by ${rule.createdBy}, ${time(rule.createdAt)}`);
  print(safe`  ${rule.content}`);
  for (const line of payloadLines(rule.payload)) print(safe`  ${line}`);
  for (const source of rule.sources) print(paint.dim(safe`  from ${source.taskId}, attempt ${source.attempt}: “${cut(source.quote, 160)}”`));
}

/** Knowledge that it rests on, and whether that still holds. */
export function printCitedChunk({ paint, print }: Output, { chunkId, document, documentVersion, heading, expiredAt }: CitedChunk): void {
  const where = document === null ? `chunk ${chunkId}` : `${document} version ${documentVersion}${heading ? `, “${cut(heading, 120)}”` : ''}`;
  const gone = document === null ? 'not known any more' : expiredAt === null ? null : `expired ${time(expiredAt)}`;
  print(safe`  rests on ${where}${gone === null ? '' : safe` · ${paint.red(`${gone}: it goes no further`)}`}`);
}

function payloadLines(payload: RulePayload | null): string[] {
  return Object.entries(payload ?? {})
    .filter(([field]) => field !== 'base')
    .map(([field, text]) => `${field}: ${cut((text as string).replace(/\s+/g, ' '), 300)}`);
}

export function printStep({ paint, print }: Output, step: TransitionRow): void {
  const from = step.fromStatus === null ? '' : ` from ${step.fromStatus.replaceAll('_', ' ')}`;
  print(safe`  ${paint.dim(time(step.at))} version ${step.version} ${statusOf(paint, step.toStatus)}${from} by ${step.actor}: ${step.reason}`);
  if (step.experimentId !== null) print(paint.dim(safe`    experiment ${step.experimentId}`));
}

export function printExperimentLine({ paint, print }: Output, row: Row<'experiment'>): void {
  const decision = row.decision === null ? paint.yellow('runs') : row.decision === 'promote' ? paint.green('promote') : paint.red(row.decision.replaceAll('_', ' '));
  const figures = row.decision === null ? '' : ` · ${row.wins ?? 0} wins, ${row.losses ?? 0} losses, ${row.ties ?? 0} ties · p ${row.pValue ?? '–'} at ${row.alpha ?? '–'}`;
  print(safe`  ${paint.bold(row.experimentId)} of version ${row.ruleVersion} on ${row.dataset} · ${decision}${figures}`);
  if (row.why !== null) print(safe`    ${row.why}`);
}
