import type { Texts } from '../index.ts';

export const chat: Texts['chat'] = { title: '对话' };
