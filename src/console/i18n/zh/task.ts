import type { Texts } from '../index.ts';

export const task: Texts['task'] = { title: '任务' };
