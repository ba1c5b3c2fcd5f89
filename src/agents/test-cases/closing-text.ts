import type { Reason } from '../../contracts/reasons.ts';

type Text = { zh: string; en: string };

const OPEN: Text = {
  zh: '没有得到达到要求的测试用例。已完成的部分和每次的问题都有记录。',
  en: 'No test cases that are good enough came out of this. What was written and what was wrong with each attempt is on record.',
};
const TECHNICAL: Text = {
  zh: '由于技术原因，目前无法生成测试用例。请稍后再试。',
  en: 'For a technical reason no test cases can be written at the moment. Please try again later.',
};

const TEXTS: Partial<Record<Reason, Text>> = {
  invalid_input: {
    zh: '无法读取输入：需要 requirement，可选 coveragePoints、format、passScore。',
    en: 'The input could not be read: it needs a requirement, and may have coveragePoints, format and passScore.',
  },
  cancelled: { zh: '任务已取消。', en: 'The task was cancelled.' },
  refused: { zh: '模型拒绝了这个需求。', en: 'The model refused this requirement.' },
  content_filter: { zh: '内容过滤器拦截了这个需求。', en: 'A content filter blocked this requirement.' },
  model_unavailable: TECHNICAL,
  model_rejected: TECHNICAL,
  unknown_agent: TECHNICAL,
  internal_error: TECHNICAL,
};

/** Said when there are no cases to give. */
export function testCasesClosingText(reason: Reason, language: string): string {
  return (TEXTS[reason] ?? OPEN)[language === 'zh' ? 'zh' : 'en'];
}
