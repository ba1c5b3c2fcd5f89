import type { Reflection } from '../contracts/experience.ts';
import type { Correction, EvaluatorKind, Issue, Verdict } from '../contracts/verdict.ts';
import { cutText, oneLine } from './text.ts';

const MAX_CHANGES = 20;
/** UTF-16 units of each text of a change. */
const MAX_TEXT = 400;
const MAX_KEEP = 50;
const MAX_KEEP_TEXT = 200;

const SEVERITIES: Issue['severity'][] = ['high', 'medium', 'low'];
/** In rising cost. */
const KINDS: EvaluatorKind[] = ['rule', 'tool', 'model', 'human'];

interface Change {
  issue: Issue;
  kind: EvaluatorKind;
}

/** What the next attempt is told: what to change (grave and certain things first), what to keep, the best so far. */
export function buildCorrection(
  verdicts: Verdict[],
  best: { outputHash: string; score: number } | null,
  strategy: string | null,
  reflection: Reflection | null = null,
): Correction {
  const judged = verdicts.filter((verdict) => verdict.status === 'judged');
  const changes = judged
    .flatMap((verdict) => issuesOf(verdict).map((issue): Change => ({ issue, kind: verdict.kind })))
    .toSorted((a, b) => SEVERITIES.indexOf(a.issue.severity) - SEVERITIES.indexOf(b.issue.severity) || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  // One evaluator may find a part right that another has an issue with: it is to change.
  const faulty = new Set(changes.map(({ issue }) => issue.subject));
  const keep = judged
    .filter((verdict) => verdict.passed)
    .flatMap((verdict) => verdict.keep)
    .filter((part) => !faulty.has(part));
  return {
    change: distinct(changes)
      .slice(0, MAX_CHANGES)
      .map(({ issue }) => changeOf(issue)),
    keep: [...new Set(keep.map((part) => cutText(part, MAX_KEEP_TEXT)))].filter((part) => part.trim() !== '').slice(0, MAX_KEEP),
    best: best ? { outputHash: best.outputHash, score: best.score } : null,
    strategy,
    reflection,
  };
}

/** A verdict that fails without an issue still says why: by its evidence. */
function issuesOf(verdict: Verdict): Issue[] {
  if (verdict.passed || verdict.issues.length > 0) return verdict.issues;
  return [{ type: verdict.evaluator, message: verdict.evidence, severity: verdict.hard ? 'high' : 'medium', subject: '', fingerprint: verdict.evaluator }];
}

/** The first of each fingerprint, and of each text: two evaluators may say the same. */
function distinct(changes: Change[]): Change[] {
  const seen = new Set<string>();
  return changes.filter(({ issue }) => {
    const keys = [`fingerprint:${issue.fingerprint}`, `text:${issue.type}:${issue.message}`];
    const fresh = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return fresh;
  });
}

function changeOf(issue: Issue): Correction['change'][number] {
  return {
    type: cutText(issue.type, MAX_TEXT),
    message: cutText(issue.message, MAX_TEXT),
    ...(issue.fix === undefined ? {} : { fix: cutText(issue.fix, MAX_TEXT) }),
    ...(issue.evidence === undefined ? {} : { evidence: cutText(issue.evidence, MAX_TEXT) }),
  };
}

const SHOWN_CHANGES = 3;

/** The correction in one line, for people. Never empty. */
export function correctionLine(correction: Correction): string {
  const shown = correction.change.slice(0, SHOWN_CHANGES).map((change) => oneLine(change.fix ?? change.message, 120));
  const more = correction.change.length - shown.length;
  const parts = [
    shown.length > 0 ? `Change: ${shown.join('; ')}${more > 0 ? ` (and ${more} more)` : ''}.` : 'No issue was named.',
    correction.keep.length > 0 ? `Keep ${correction.keep.length} part${correction.keep.length === 1 ? '' : 's'}.` : '',
    correction.best ? `Best so far: ${correction.best.score}.` : '',
    correction.strategy === null ? '' : oneLine(correction.strategy, 120),
  ];
  return oneLine(parts.filter((part) => part !== '').join(' '), 600);
}
