import type { Dataset } from './dataset.ts';
import { quixbugsDataset } from './quixbugs.ts';
import { requirementsDataset } from './requirements.ts';

/** Every dataset: one line each. */
export const datasets: Record<string, Dataset> = {
  requirements: requirementsDataset,
  quixbugs: quixbugsDataset,
};
