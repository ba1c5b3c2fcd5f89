import './rules.css';
import { RuleList } from './rule-list.tsx';
import { RulePage } from './rule-page.tsx';

export default function RulesPage({ ruleId }: { ruleId?: string }) {
  return ruleId === undefined ? <RuleList /> : <RulePage key={ruleId} ruleId={ruleId} />;
}
