import type { Api } from '../environment.ts';
import type { GatewayServices } from '../services.ts';
import { addDatasetRoutes } from './datasets.ts';
import { addExperimentRoutes } from './experiments.ts';
import { addRuleRoutes } from './rules.ts';

/** What agents are measured with, and what they learned. */
export function addLearningRoutes(api: Api, services: GatewayServices): void {
  addDatasetRoutes(api, services);
  addExperimentRoutes(api, services);
  addRuleRoutes(api, services);
}
