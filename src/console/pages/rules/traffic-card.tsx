import type { RuleDetail, RuleView } from '../../../contracts/api/learning.ts';
import { get, path } from '../../api.ts';
import { Failure } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { number, percent } from '../../text/numbers.ts';
import { RuleCard } from './card.tsx';
import type { Trial } from './moves.ts';
import { Worth } from './worth.tsx';

const NO_TRIAL: Trial = { state: 'untried', experimentId: null };

/** A rule that live tasks have, with the figures of both its arms. */
export function TrafficCard({ rule, onChanged }: { rule: RuleView; onChanged: () => void }) {
  const texts = t().learning;
  const detail = useLoad(`${rule.ruleId} ${rule.version}`, (signal) => get<RuleDetail>(path`/v1/rules/${rule.ruleId}`, { signal }));
  const worth = detail.data?.worth.find(({ version }) => version === rule.version);
  return (
    <RuleCard rule={rule} trial={NO_TRIAL} onChanged={onChanged}>
      <p class="small muted">
        {texts.share}: {percent(rule.share)}
        {rule.status === 'canary' && ` · ${texts.pairs}: ${number(rule.pairs)}`}
      </p>
      {detail.error !== null && <Failure error={detail.error} onRetry={detail.reload} />}
      {worth && <Worth worth={worth} />}
    </RuleCard>
  );
}
