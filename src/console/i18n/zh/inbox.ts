import type { Texts } from '../index.ts';

export const inbox: Texts['inbox'] = { title: '待办' };
