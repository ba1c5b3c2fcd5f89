import type { WeeklyReportInput, WeeklyReportOutput } from './schemas.ts';

export const TASK_MARK = 'Write a weekly report from this data (JSON):\n';

/** JSON keeps the data apart from the instructions, whatever a work item says. */
export function renderWeeklyReportInput({ workItems, metrics, week, audience, language }: WeeklyReportInput): string {
  return `${TASK_MARK}${JSON.stringify({ language, week: week ?? null, audience: audience ?? null, workItems, metrics: metrics ?? {} })}`;
}

/** One line a part; what the writer left empty is not there. */
export function renderWeeklyReportOutput({ title, items, keyMetrics, plan }: WeeklyReportOutput): string {
  return [title, ...items.map((item) => `- ${item}`), keyMetrics, plan].filter((line) => line.trim() !== '').join('\n');
}

/** The lines as far as they are written. */
export function previewWeeklyReport(partial: unknown): string | null {
  const { title, items, keyMetrics, plan } = (partial ?? {}) as Partial<WeeklyReportOutput>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const lines = renderWeeklyReportOutput({ title: text(title), items: (Array.isArray(items) ? items : []).map(text), keyMetrics: text(keyMetrics), plan: text(plan) });
  return lines === '' ? null : lines;
}
