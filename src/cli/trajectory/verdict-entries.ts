/** What evaluators found in a draft. */
import type { AttemptRow } from '../../store/attempts.ts';
import type { VerdictRow } from '../../store/verdicts.ts';
import { scores } from '../text/format.ts';
import { type Safe, safe } from '../text/safe.ts';
import type { Entry } from './entry.ts';
import { line, more, type TrajectoryOptions } from './line.ts';

interface Judged {
  attempt: number;
  /** Null while the attempt goes on. */
  row: AttemptRow | null;
  verdicts: VerdictRow[];
}

/** In brief, what passed is one line a kind, and what was left out one line a reason. */
export function verdictEntries({ attempt, row, verdicts }: Judged, options: TrajectoryOptions): Entry[] {
  // what the loop itself says of a verdict (people's, skipped ones) is written with the attempt's end, a moment after it
  const at = (verdict: VerdictRow): number => Math.min(verdict.createdAt.getTime(), row?.endedAt?.getTime() ?? Infinity);
  const groups = options.full ? [] : [...passedGroups(attempt, verdicts, at, options), ...skippedGroups(attempt, verdicts, at, options)];
  const alone = verdicts.filter((verdict) => options.full || !(isQuiet(verdict) || isSkipped(verdict)));
  return [...groups, ...alone.map((verdict) => verdictEntry(attempt, verdict, at(verdict), options))];
}

const isQuiet = ({ kind, passed, issues }: VerdictRow): boolean => kind !== 'human' && passed && issues.length === 0;
const isSkipped = ({ status }: VerdictRow): boolean => status === 'skipped';

function passedGroups(attempt: number, verdicts: VerdictRow[], at: (verdict: VerdictRow) => number, options: TrajectoryOptions): Entry[] {
  const { paint } = options;
  return [...Map.groupBy(verdicts.filter(isQuiet), ({ kind }) => kind)].map(([kind, passed]) => {
    const names = passed.map(({ score, evaluator }) => (score === 100 || score === null ? evaluator : `${evaluator} ${scores([score])}`));
    return {
      key: `verdicts ${attempt} ${kind}`,
      at: Math.min(...passed.map(at)),
      rank: 5.5,
      lines: [line(options, 'verdicts', safe`${paint.green(`${kind}: passed`)} ${paint.dim(names.join(', '))}`)],
    };
  });
}

function skippedGroups(attempt: number, verdicts: VerdictRow[], at: (verdict: VerdictRow) => number, options: TrajectoryOptions): Entry[] {
  const { paint } = options;
  return [...Map.groupBy(verdicts.filter(isSkipped), ({ evidence }) => evidence)].map(([why, skipped]) => ({
    key: `skipped ${attempt} ${why}`,
    at: Math.min(...skipped.map(at)),
    rank: 6.5,
    lines: [line(options, 'verdicts', safe`${paint.dim(`skipped: ${skipped.map(({ evaluator }) => evaluator).join(', ')} — ${why}`)}`)],
  }));
}

function verdictEntry(attempt: number, verdict: VerdictRow, at: number, options: TrajectoryOptions): Entry {
  const { paint, full } = options;
  const said = full || verdict.score === null || verdict.kind === 'human' ? safe` — ${verdict.evidence}` : '';
  const body = [line(options, 'verdict', safe`${verdict.evaluator} (${verdict.kind}${verdict.hard ? ', hard' : ''}) ${result(verdict, options)}${said}`)];
  for (const issue of verdict.issues) {
    body.push(more(safe`${paint.yellow(issue.type)}: ${issue.message}${issue.fix && full ? safe` Fix: ${issue.fix}` : ''}`));
    if (full && issue.evidence) body.push(more(paint.dim(safe`evidence: ${issue.evidence}`)));
  }
  return { key: `verdict ${attempt} ${verdict.evaluator}`, at, rank: 6, lines: body };
}

/** A person who takes an output may still give it few points: that is no pass of 40. */
function result({ kind, passed, score, status }: VerdictRow, { paint }: TrajectoryOptions): Safe {
  if (score === null) return paint.dim(status.replace('_', ' '));
  const words = kind === 'human' ? { yes: 'accepted', no: 'not accepted' } : { yes: 'passed', no: 'not passed' };
  return passed ? paint.green(`${words.yes}, ${scores([score])} of 100`) : paint.red(`${words.no}, ${scores([score])} of 100`);
}
