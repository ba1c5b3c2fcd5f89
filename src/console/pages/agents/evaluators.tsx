import type { AgentDetail } from '../../../contracts/api/agents.ts';
import { t } from '../../i18n/index.ts';
import { number, percent } from '../../text/numbers.ts';

/** What judges an output, and how much each counts. */
export function Evaluators({ agent }: { agent: AgentDetail }) {
  const texts = t().agents;
  const total = agent.evaluators.reduce((sum, evaluator) => sum + evaluator.weight, 0);
  return (
    <div class="card table-frame" tabIndex={0} role="region" aria-label={texts.tabs.evaluators}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{texts.evaluator}</th>
            <th scope="col">{texts.kind}</th>
            <th scope="col">{texts.mustPass}</th>
            <th scope="col" class="end">
              {texts.weight}
            </th>
            <th scope="col" class="end">
              {texts.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {agent.evaluators.map((evaluator) => (
            <tr key={evaluator.name}>
              <td class="mono">{evaluator.name}</td>
              <td>{t().task.evaluatorKinds[evaluator.kind]}</td>
              <td>{evaluator.hard ? t().words.yes : t().words.no}</td>
              <td class="end numbers">{number(evaluator.weight, 2)}</td>
              <td class="end numbers">{total === 0 ? '–' : percent(evaluator.weight / total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
