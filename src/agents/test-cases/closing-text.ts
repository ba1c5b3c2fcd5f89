import { closingTexts } from '../closing-texts.ts';

/** Said when there are no cases to give. */
export const testCasesClosingText = closingTexts({
  open: {
    zh: '没有得到达到要求的测试用例。已完成的部分和每次的问题都有记录。',
    en: 'No test cases that are good enough came out of this. What was written and what was wrong with each attempt is on record.',
  },
  technical: {
    zh: '由于技术原因，目前无法生成测试用例。请稍后再试。',
    en: 'For a technical reason no test cases can be written at the moment. Please try again later.',
  },
  invalid_input: {
    zh: '无法读取输入：需要 requirement，可选 coveragePoints、format、passScore。',
    en: 'The input could not be read: it needs a requirement, and may have coveragePoints, format and passScore.',
  },
  cancelled: { zh: '任务已取消。', en: 'The task was cancelled.' },
  refused: { zh: '模型拒绝了这个需求。', en: 'The model refused this requirement.' },
  content_filter: { zh: '内容过滤器拦截了这个需求。', en: 'A content filter blocked this requirement.' },
});
