import type { Report } from '../../../contracts/api/report.ts';
import { path } from '../../api.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { Rate } from '../../components/rate.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';
import { scenarioName } from './scenario-name.ts';

/** What tasks were about, and how often that fails. */
export function Scenarios({ report }: { report: Report }) {
  const texts = t().report;
  return (
    <FigureTable
      title={texts.scenarios}
      hint={texts.scenariosHint}
      empty={texts.none}
      first={texts.scenario}
      columns={[texts.agent, texts.firstFailed, texts.failed]}
      words={1}
      rows={report.scenarios.map(({ agent, scenario, firstFailed, failed }) => ({
        key: `${agent} ${scenario}`,
        name: <Scenario agent={agent} scenario={scenario} />,
        cells: [agent, <Rate rate={firstFailed} />, <Rate rate={failed} />],
      }))}
    />
  );
}

/** The failures behind the rates: who found them, in which tool, by which error. */
export function Failures({ report }: { report: Report }) {
  const texts = t().report;
  return (
    <FigureTable
      title={texts.failures}
      hint={texts.failuresHint}
      empty={texts.noFailures}
      first={texts.scenario}
      columns={[texts.agent, texts.evaluator, texts.issue, texts.tool, texts.errorCode, texts.tasks, texts.example]}
      words={5}
      rows={report.failures.map((failure) => ({
        key: `${failure.agent} ${failure.scenario} ${failure.signature}`,
        name: <Scenario agent={failure.agent} scenario={failure.scenario} />,
        cells: [
          failure.agent,
          <Name text={failure.evaluator} />,
          <Name text={failure.issueType} />,
          <Name text={failure.tool} />,
          <Name text={failure.errorCode} />,
          number(failure.tasks),
          <a href={path`/tasks/${failure.exampleTaskId}`} data-page class="nowrap">
            {texts.openExample}
          </a>,
        ],
      }))}
    />
  );
}

/** How often each tool was called rightly. */
export function ToolCalls({ report }: { report: Report }) {
  const texts = t().report;
  return (
    <FigureTable
      title={texts.tools}
      empty={texts.noTools}
      first={texts.tool}
      columns={[texts.agent, texts.toolCallCorrectness, texts.denied]}
      words={1}
      rows={report.tools.map(({ agent, tool, correctness, denied }) => ({
        key: `${agent} ${tool}`,
        name: <Name text={tool} />,
        cells: [agent, <Rate rate={correctness} />, number(denied)],
      }))}
    />
  );
}

function Scenario({ agent, scenario }: { agent: string; scenario: string }) {
  return scenario === agent ? <span class="muted">{t().report.noScenario}</span> : <SafeText text={scenarioName(agent, scenario)} oneLine />;
}

function Name({ text }: { text: string | null }) {
  return text ? (
    <span class="mono">
      <SafeText text={text} oneLine />
    </span>
  ) : (
    <>–</>
  );
}
