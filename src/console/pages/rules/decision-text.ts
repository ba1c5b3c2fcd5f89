import type { ExperimentDetail } from '../../../contracts/api/experiments.ts';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** Why an experiment concluded what it did, from its figures: the gate's own sentence is English. */
export function decisionText({ decision, wins, losses, ties, p, alpha, plan, result }: ExperimentDetail): string {
  const texts = t().learning;
  const counted = (wins ?? 0) + (losses ?? 0) + (ties ?? 0);
  if (decision === 'too_little_evidence') return counted >= plan.minCases ? texts.unknownWhy : texts.littleWhy(number(counted), number(plan.minCases));
  const figures = [number(wins ?? 0), number(losses ?? 0), p === null ? '–' : number(p, 4), number(alpha, 4)] as const;
  if (decision === 'promote') return texts.promoteWhy(...figures);
  const critical = result?.criticalLosses ?? [];
  return critical.length > 0 ? texts.criticalWhy(critical.join(', ')) : texts.rejectWhy(...figures);
}
