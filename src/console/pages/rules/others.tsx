import type { RuleView } from '../../../contracts/api/learning.ts';
import { path } from '../../api.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../i18n/index.ts';
import { actorName, StatusBadge } from './badges.tsx';

/** Candidates, and what is over. */
export function Others({ rules }: { rules: readonly RuleView[] }) {
  const texts = t().learning;
  const candidates = rules.filter(({ status }) => status === 'candidate');
  const over = rules.filter(({ status }) => status === 'retired' || status === 'rejected');
  return (
    <>
      {candidates.length > 0 && <RuleTable title={texts.candidates} hint={texts.candidatesHint} rules={candidates} />}
      {over.length > 0 && <RuleTable title={texts.over} rules={over} />}
    </>
  );
}

function RuleTable({ title, hint, rules }: { title: string; hint?: string; rules: readonly RuleView[] }) {
  const texts = t().learning;
  return (
    <FigureTable
      title={title}
      hint={hint}
      empty=""
      first={texts.rule}
      columns={[texts.statusName, texts.agent, texts.proposedBy, texts.proposed]}
      words={3}
      rows={rules.map((rule) => ({
        key: `${rule.ruleId} ${rule.version}`,
        name: (
          <a class="sentence" href={`${path`/rules/${rule.ruleId}`}?version=${rule.version}`} data-page>
            <SafeText text={rule.content} oneLine />
          </a>
        ),
        cells: [<StatusBadge status={rule.status} />, rule.agent, <SafeText text={actorName(rule.createdBy)} oneLine />, <Time at={rule.at} relative />],
      }))}
    />
  );
}
