import { exposedTasks } from '../store/exposed-tasks.ts';
import type { Store } from '../store/store.ts';
import { listToolVersions, setToolTraffic } from '../store/tool-versions.ts';
import { sidesText, weigh } from './weigh.ts';

/**
 * A version of a tool that has a share of the tasks is watched like a rule on its canary: at 20 of evidence of harm, or when something critical broke, it loses its
 * traffic. Whether it gets all of it is a person's decision. Returns why it was rolled back, or null.
 * @param id `tool@version`, as in the exposure
 */
export async function judgeTool(store: Store, agent: string, id: string): Promise<string | null> {
  const at = id.lastIndexOf('@');
  const [tool, version] = [id.slice(0, at), id.slice(at + 1)];
  const row = (await listToolVersions(store.database, agent, tool)).find((each) => each.version === version);
  if (!row || row.status !== 'live' || row.trafficShare === 0 || row.trafficShare === 1) return null;
  const weighed = weigh(await exposedTasks(store.database, { kind: 'tool', id, version: 1, agent }));
  if (!weighed.isHarmful) return null;
  const { breach, pairs, evidence } = weighed;
  const why = breach
    ? `Version ${version} of tool ${tool} is rolled back: in task ${breach.taskId}, which had it, ${breach.what}.`
    : `Version ${version} of tool ${tool} lowered the pass rate and is rolled back: ${sidesText(weighed)}; ${pairs} pairs, evidence of harm ${evidence.toFixed(1)}.`;
  await setToolTraffic(store.database, { agent, tool, version, share: 0, by: 'canary', via: 'system', reason: why });
  return why;
}
