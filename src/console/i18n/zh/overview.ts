import type { Texts } from '../index.ts';

export const overview: Texts['overview'] = { title: '总览' };
