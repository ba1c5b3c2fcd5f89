import type { AgentDetail } from '../../../contracts/api/agents.ts';
import { TextOrJson } from '../../components/whole-text.tsx';
import { Json } from '../../components/code.tsx';
import { t } from '../../i18n/index.ts';

export function Definition({ agent }: { agent: AgentDetail }) {
  const texts = t().agents;
  return (
    <div class="stack">
      <section>
        <h2>{texts.success}</h2>
        <ul class="points">
          {agent.success.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </section>
      <section class="stack">
        <h2>{texts.instructions}</h2>
        <TextOrJson text={agent.instructions} label={texts.instructions} />
      </section>
      <div class="two-columns">
        <section class="stack">
          <h2>{texts.inputSchema}</h2>
          <Json value={agent.inputSchema} label={texts.inputSchema} />
        </section>
        <section class="stack">
          <h2>{texts.outputSchema}</h2>
          <Json value={agent.outputSchema} label={texts.outputSchema} />
        </section>
      </div>
    </div>
  );
}
