export { agentTask } from './agent-task.ts';
export { experiment } from './experiment.ts';
