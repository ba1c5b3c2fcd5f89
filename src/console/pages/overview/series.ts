/** What the overview's charts show. */
import type { Overview } from '../../../contracts/api/overview.ts';
import { type ChartSeries, mergeSmall } from '../../charts/chart-data.ts';
import { SERIES_COLOURS } from '../../charts/colours.ts';

/** Every day from the first to the last with a cost, and each model's cost on it (micro-USD). */
export function costByModel({ cost, from, to }: Pick<Overview, 'cost' | 'from' | 'to'>, others: string): { days: string[]; series: ChartSeries[] } {
  const days = daysBetween(from, to);
  const byModel = Map.groupBy(cost, (each) => each.model);
  const series = [...byModel].map(([label, rows]) => ({ label, values: days.map((day) => rows.filter((row) => row.day === day).reduce((sum, row) => sum + row.costMicros, 0)) }));
  return { days, series: mergeSmall(series, SERIES_COLOURS, others) };
}

/** Days in UTC, both ends included. */
function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = Date.parse(`${from.slice(0, 10)}T00:00:00.000Z`); day <= Date.parse(to); day += 86_400_000) days.push(new Date(day).toISOString().slice(0, 10));
  return days;
}

/** Of each agent's tasks, how many asked a person. */
export function humanLoad({ agents }: Pick<Overview, 'agents'>): { labels: string[]; asked: number[]; alone: number[] } {
  const asked = agents.map((agent) => Math.round((agent.humanRate ?? 0) * agent.tasks));
  return { labels: agents.map((agent) => agent.agent), asked, alone: agents.map((agent, index) => agent.tasks - asked[index]!) };
}
