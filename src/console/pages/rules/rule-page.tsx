import type { RuleDetail, RuleView } from '../../../contracts/api/learning.ts';
import { get, path } from '../../api.ts';
import { Diff } from '../../components/diff.tsx';
import { Segments } from '../../components/segments.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { useLoad } from '../../components/use-load.ts';
import { usePolling } from '../../components/use-polling.ts';
import { t } from '../../i18n/index.ts';
import { place, setQuery } from '../../router.ts';
import { RuleActions } from './actions.tsx';
import { RuleBadges } from './badges.tsx';
import { Experiment } from './experiment.tsx';
import { trialOf } from './moves.ts';
import { RuleFacts } from './rule-facts.tsx';
import { ruleText } from './rule-text.ts';
import { Sources } from './sources.tsx';
import { Steps } from './steps.tsx';
import { RuleWords } from './words.tsx';
import { Worth } from './worth.tsx';

/** One rule with all that happened to it. */
export function RulePage({ ruleId }: { ruleId: string }) {
  const texts = t().learning;
  const detail = useLoad(ruleId, (signal) => get<RuleDetail>(path`/v1/rules/${ruleId}`, { signal }));
  const { data, reload } = detail;
  const started = usePolling(data?.experiments.some(({ endedAt }) => endedAt === null) ?? false, reload);
  const change = (): void => {
    started();
    reload();
  };
  return (
    <div class="stack">
      <nav aria-label={t().agents.path} class="small">
        <a href="/rules" data-page>
          {texts.rules}
        </a>
      </nav>
      {detail.error !== null && <Failure error={detail.error} onRetry={detail.reload} />}
      {data === null && detail.error === null && <Skeleton lines={8} />}
      {data !== null && <Version detail={data} onChanged={change} />}
    </div>
  );
}

/** The version of the address, else the newest. */
function Version({ detail, onChanged }: { detail: RuleDetail; onChanged: () => void }) {
  const texts = t().learning;
  const asked = Number(place.value.query.get('version'));
  const versions = detail.versions.toSorted((left, right) => left.version - right.version);
  const rule = versions.find(({ version }) => version === asked) ?? versions.at(-1)!;
  const before = versions.findLast(({ version }) => version < rule.version);
  const experiments = detail.experiments.filter(({ version }) => version === rule.version).toReversed();
  const tried = experiments.map(({ experimentId, decision, endedAt }) => ({ experimentId, decision, endedAt, rule: { ruleId: rule.ruleId, version: rule.version } }));
  const worth = detail.worth.find(({ version }) => version === rule.version);
  const change = (): void => {
    // an edit makes a version that is newer than the one of the address
    setQuery({ version: null });
    onChanged();
  };
  return (
    <>
      <header class="stack tight">
        <h1 class="unseen">
          {texts.rule} {rule.ruleId}
        </h1>
        <p class="row">
          <RuleBadges rule={rule} />
          <span class="muted small">{texts.version(rule.version)}</span>
          {versions.length > 1 && (
            <span class="push">
              <Segments
                label={texts.versions}
                options={versions.map(({ version }) => ({ id: String(version), label: String(version) }))}
                selected={String(rule.version)}
                onSelect={(id) => setQuery({ version: id })}
              />
            </span>
          )}
        </p>
        <RuleWords rule={rule} />
        <RuleActions rule={rule} trial={trialOf(rule, tried)} onChanged={change} />
      </header>
      <div class="rule-columns">
        <div class="stack">
          {worth && (
            <section class="card card-body stack tight">
              <h2>{texts.worth}</h2>
              <p class="muted small">{texts.worthHint}</p>
              <Worth worth={worth} />
            </section>
          )}
          <section class="stack tight">
            <h2>{texts.experiments}</h2>
            {experiments.length === 0 && <p class="muted">{texts.experimentNone}</p>}
            {experiments.map(({ experimentId, endedAt }) => (
              <Experiment key={`${experimentId} ${endedAt}`} experimentId={experimentId} />
            ))}
          </section>
          {before && <Change before={before} after={rule} />}
          <Sources rule={rule} />
        </div>
        <aside class="stack">
          <RuleFacts rule={rule} />
          <Steps steps={detail.steps} />
        </aside>
      </div>
    </>
  );
}

function Change({ before, after }: { before: RuleView; after: RuleView }) {
  const label = t().learning.changedFrom(before.version, after.version);
  return (
    <section class="stack tight">
      <h2>{label}</h2>
      <Diff before={ruleText(before)} after={ruleText(after)} label={label} />
    </section>
  );
}
