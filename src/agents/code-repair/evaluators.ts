import type { Evaluator } from '../../evaluation/define-evaluator.ts';
import { runsRight } from './evaluators/runs-right.ts';

export const codeRepairEvaluators: Evaluator[] = [runsRight];
