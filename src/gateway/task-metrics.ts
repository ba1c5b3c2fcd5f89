import { Gauge, Registry } from 'prom-client';
import { sql } from 'kysely';
import type { Executor } from '../store/database.ts';

/** So far back, so that the figures of a long-lived installation stay cheap. */
const WINDOW = '24 hours';

/** What all processes together have done, read from the facts when it is asked for; tasks of experiments are left out. Labels: agents, models, tools and codes; no tenant, person or task. */
export async function taskMetrics(database: Executor): Promise<string> {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[]) => new Gauge({ name, help: `${help} (last ${WINDOW})`, labelNames, registers });
  const since = sql`now() - ${sql.lit(WINDOW)}::interval`;
  /** Of real work, and of calls outside tasks. */
  const real = (table: string) => sql`not exists (select from task where task.task_id = ${sql.ref(`${table}.task_id`)} and task.experiment_id is not null)`;
  const fill = async (target: Gauge, query: ReturnType<typeof sql<Labelled>>): Promise<void> => {
    const { rows } = await query.execute(database);
    for (const { value, ...labels } of rows) target.set(labels, Number(value));
  };
  await Promise.all([
    fill(
      gauge('loopwright_tasks', 'Tasks by how they ended; outcome "running" for those that have not', ['agent', 'outcome']),
      sql<Labelled>`select agent, coalesce(outcome, 'running') as outcome, count(*) as value from task where experiment_id is null and (outcome is null or ended_at >= ${since}) group by 1, 2`,
    ),
    fill(
      gauge('loopwright_approvals', 'Approvals by kind, risk and status', ['kind', 'risk', 'status']),
      sql<Labelled>`select kind, risk, status, count(*) as value from approval where (status = 'pending' or created_at >= ${since}) and ${real('approval')} group by 1, 2, 3`,
    ),
    fill(
      gauge('loopwright_model_calls', 'Model calls by model and status', ['model', 'status']),
      sql<Labelled>`select model, status, count(*) as value from model_call where started_at >= ${since} and ${real('model_call')} group by 1, 2`,
    ),
    fill(
      gauge('loopwright_model_tokens', 'Tokens by model and direction', ['model', 'direction']),
      sql<Labelled>`select model, direction, sum(tokens) as value from model_call, lateral (values ('input', input_tokens), ('output', output_tokens)) as used(direction, tokens)
        where started_at >= ${since} and ${real('model_call')} group by 1, 2`,
    ),
    fill(
      gauge('loopwright_model_cost_micro_usd', 'Cost by model, micro-USD', ['model']),
      sql<Labelled>`select model, sum(cost_micros) as value from model_call where started_at >= ${since} and ${real('model_call')} group by 1`,
    ),
    fill(
      gauge('loopwright_tool_calls', 'Tool calls by tool, status and code; code "contract_drift": the tool answered in another shape than it declares', ['tool', 'status', 'code']),
      sql<Labelled>`select tool, status, coalesce(code, '') as code, count(*) as value from tool_call where started_at >= ${since} and ${real('tool_call')} group by 1, 2, 3`,
    ),
    fill(
      gauge('loopwright_refusals', 'Messages to tasks that changed nothing, by message and code', ['message', 'code']),
      sql<Labelled>`select message, code, count(*) as value from refusal where refused_at >= ${since} and ${real('refusal')} group by 1, 2`,
    ),
  ]);
  return registry.metrics();
}

type Labelled = { value: number } & Record<string, string>;
