import type { DrawSamplesInput, DrawSamplesResult } from '../contracts/evaluator-check.ts';
import { drawSamples, listSamples } from '../store/judges.ts';
import { agentOf } from './definition.ts';
import type { Services } from './services.ts';

/** Of outputs that passed, one in so many gets a control that did not: with passes alone, agreement can't be told from a judge that says yes to all. */
const CONTROL_SHARE = 4;
/** Samples that a judge is asked about again, the newest first. */
const REPEATED = 20;

/** Draws the week's samples, and says which judges are to be asked again about which of them. */
export function createDrawSamples(services: Services) {
  return async function draw({ agent: name, tenant, samples, repeats, until }: DrawSamplesInput): Promise<DrawSamplesResult> {
    const agent = agentOf(services, name);
    const { database } = services.store;
    const drawn = await drawSamples(database, { tenant, agent: name, count: samples, controls: Math.ceil(samples / CONTROL_SHARE), until });
    const judges = services.judge === null || repeats === 0 ? [] : agent.evaluators.filter(({ kind }) => kind === 'model');
    const newest = (await listSamples(database, { tenant, agent: name })).filter(({ sampledAt }) => sampledAt.getTime() === until).slice(0, REPEATED);
    return { drawn, repeats: newest.flatMap(({ sampleId }) => judges.map(({ name: evaluator }) => ({ sampleId, evaluator }))) };
  };
}
