import type { ClusterView } from '../../../contracts/api/learn.ts';
import { get, withQuery } from '../../api.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Failure } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useLoad } from '../../components/use-load.ts';
import { t } from '../../i18n/index.ts';
import { number } from '../../text/numbers.ts';

/** What failed alike, as the last run of learning sorted it. */
export function Clusters({ agent }: { agent: string | null }) {
  const texts = t().learning;
  const address = withQuery('/v1/clusters', { agent });
  const clusters = useLoad(address, (signal) => get<{ items: ClusterView[] }>(address, { signal }));
  if (clusters.error !== null) return <Failure error={clusters.error} onRetry={clusters.reload} />;
  if (clusters.data === null) return null;
  return (
    <FigureTable
      title={texts.clusters}
      hint={texts.clustersHint}
      empty={texts.clustersNone}
      first={texts.failuresSay}
      columns={[texts.agent, texts.statusName, texts.issues, texts.tasks, texts.lastSeen]}
      words={2}
      rows={clusters.data.items.map((cluster) => ({
        key: cluster.clusterId,
        name: (
          <div class="sentence">
            <SafeText text={cluster.label} oneLine />
            <br />
            <span class="mono small muted">
              <SafeText text={cluster.signature} oneLine />
            </span>
          </div>
        ),
        cells: [cluster.agent, texts.clusterStatus[cluster.status], number(cluster.issues), number(cluster.tasks), <Time at={cluster.lastSeen} relative />],
      }))}
    />
  );
}
