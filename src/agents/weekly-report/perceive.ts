import type { Perceive } from '../define-agent.ts';
import { inputMetrics, metricsIn } from './metrics.ts';
import type { WeeklyReportInput } from './schemas.ts';

const QUESTION = {
  zh: '本周的关键指标是什么？请按“名称 数值”回答，例如：订单量 1280，转化率 3.2%。没有可回答“没有”。',
  en: 'What are the key metrics of the week? Please answer with names and values, for example: orders 1280, conversion 3.2%. Answer "none" if there are none.',
};

/** The input is structured, so code reads it; a person is asked once for metrics, and the report goes on without them when nobody answers. */
export const weeklyReportPerceive: Perceive<WeeklyReportInput> = {
  model: null,
  understand: (input, answers) => ({
    intent: 'weekly_report',
    entities: Object.fromEntries(inputMetrics(input).length > 0 ? [] : answers.flatMap(metricsIn)),
    emotion: null,
  }),
  missing: (_perception, input, answers) =>
    inputMetrics(input).length > 0 || answers.length > 0 ? [] : [{ field: 'metrics', question: QUESTION[input.language], onTimeout: 'continue' }],
};
