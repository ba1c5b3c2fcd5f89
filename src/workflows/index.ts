export { agentTask } from './agent-task.ts';
