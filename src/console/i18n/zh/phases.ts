import type { Texts } from '../index.ts';

export const phases: Texts['phases'] = {
  starting: '启动中',
  perceiving: '理解输入',
  planning: '规划中',
  deciding: '决策中',
  calling_tools: '调用工具',
  waiting_for_person: '等待人工',
  reviewing: '自查中',
  evaluating: '评估中',
  correcting: '修正中',
  compacting: '压缩对话',
  closing: '收尾中',
  closed: '已关闭',
};
