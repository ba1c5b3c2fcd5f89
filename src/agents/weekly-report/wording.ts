import type { WeeklyReportInput } from './schemas.ts';

export type Language = WeeklyReportInput['language'];
export type Metric = readonly [name: string, value: string];

/** The fixed words of a report. The instructions describe them; the evaluators and the scripted model use them. */
export const WORDS = {
  zh: { title: '周报', keyMetrics: '关键指标', notProvided: '未提供', plan: '下周计划', between: '：', separator: '；' },
  en: { title: 'Weekly report', keyMetrics: 'Key metrics', notProvided: 'not provided', plan: 'Plan for next week', between: ': ', separator: '; ' },
} as const;

export const MAX_LINES = 8;

export function titleLine(language: Language, week: string | undefined): string {
  const { title, between } = WORDS[language];
  return week === undefined ? title : `${title}${between}${week}`;
}

/** The key metrics as they should be written. */
export function keyMetricsLine(language: Language, metrics: readonly Metric[]): string {
  const { keyMetrics, between, separator, notProvided } = WORDS[language];
  return `${keyMetrics}${between}${metrics.length === 0 ? notProvided : metrics.map(([name, value]) => `${name} ${value}`).join(separator)}`;
}
