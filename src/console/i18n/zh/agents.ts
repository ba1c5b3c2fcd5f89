import type { Texts } from '../index.ts';

export const agents: Texts['agents'] = { title: '智能体' };
