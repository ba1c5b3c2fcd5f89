import type { ReflectInput } from '../contracts/activities.ts';
import type { Reflection } from '../contracts/experience.ts';
import type { Issue } from '../contracts/verdict.ts';
import { MIN_QUOTE_CHARS } from '../policy/proposal.ts';
import { signatureOf } from '../policy/signature.ts';
import type { TaskRow } from '../store/tasks.ts';
import type { Services } from './services.ts';

type Found = Issue & { evaluator: string };

/** The improved rule of a reflection becomes a candidate, or a rejected one with the reason: it changes nothing until it passed review and the gate. */
export async function proposeReflection(
  { store, log }: Services,
  { agent, taskId, attempt, verdicts }: ReflectInput,
  { tenant, experimentId }: Pick<TaskRow, 'tenant' | 'experimentId'>,
  reflection: Reflection,
  source: 'model' | 'rule',
): Promise<void> {
  // nothing is learned from experiments: their cases are what rules are measured by
  if (experimentId !== null || reflection.improved_rule.trim() === '') return;
  const issue = issueOf(
    reflection,
    verdicts.flatMap(({ evaluator, issues }) => issues.map((each) => ({ ...each, evaluator }))),
  );
  const proposed = await store.rules.propose({
    agent,
    tenant,
    kind: 'sentence',
    content: reflection.improved_rule,
    payload: null,
    createdBy: `reflection (${source})`,
    sources: [{ taskId, attempt, quote: quoteOf(reflection.evidence, issue) }],
    chunks: [],
    signature: issue ? signatureOf(issue) : null,
    expectedEffect: issue ? `Fewer first attempts that fail with ${issue.type}.` : null,
    scopeTerms: [],
  });
  if (proposed.refused) log.info({ task_id: taskId, rule_id: proposed.ruleId, code: proposed.refused.code, reason: proposed.refused.reason }, 'rule refused');
}

/** What the reflection is about: the issue that its evidence stands in, else the first of its type. */
function issueOf({ evidence, error_type: type }: Reflection, issues: readonly Found[]): Found | null {
  return issues.find((issue) => issue.message.includes(evidence) || issue.evidence?.includes(evidence)) ?? issues.find((issue) => issue.type === type) ?? issues[0] ?? null;
}

/** Evidence of a few characters stands anywhere: the whole line that it is from says where. */
function quoteOf(evidence: string, issue: Found | null): string {
  return [...evidence.trim()].length >= MIN_QUOTE_CHARS || !issue ? evidence : issue.message;
}
