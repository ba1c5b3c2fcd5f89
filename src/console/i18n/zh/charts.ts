import type { Texts } from '../index.ts';

export const charts: Texts['charts'] = { asTable: '以表格显示数据', others: '其他' };
