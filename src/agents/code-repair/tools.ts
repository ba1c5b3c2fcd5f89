import type { Tool } from '../../tools/define-tool.ts';

/** The code is run by the evaluator, once an attempt, so that every failure is one attempt with its reflection; the model has nothing else to do. */
export const codeRepairTools: Tool[] = [];
