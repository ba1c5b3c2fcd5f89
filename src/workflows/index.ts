export { agentTask } from './agent-task.ts';
export { checkEvaluators } from './check-evaluators.ts';
export { experiment } from './experiment.ts';
export { learn } from './learn.ts';
