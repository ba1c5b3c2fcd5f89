import type { Texts } from '../index.ts';

export const tasks: Texts['tasks'] = { title: '任务' };
