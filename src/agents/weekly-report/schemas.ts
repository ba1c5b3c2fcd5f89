import { z } from 'zod';

export const weeklyReportInputSchema = z.strictObject({
  /** What was done, each in the words in which it shall be reported. */
  workItems: z.array(z.string().trim().min(1).max(300)).min(1).max(40),
  /** Figures of the week by name. None: the agent asks for them. */
  metrics: z.record(z.string().trim().min(1).max(60), z.union([z.number(), z.string().trim().min(1).max(100)])).optional(),
  /** Which week, as it shall be written: "2026-W48". */
  week: z.string().trim().min(1).max(40).optional(),
  /** Who reads it. */
  audience: z.string().trim().min(1).max(200).optional(),
  language: z.enum(['zh', 'en']),
  /** True: an approver scores the report besides the rules and the judge. */
  askApprover: z.boolean().optional(),
});
export type WeeklyReportInput = z.output<typeof weeklyReportInputSchema>;

export const weeklyReportOutputSchema = z.strictObject({
  title: z.string().min(1).max(200).describe('One line with the words 周报 or "Weekly report".'),
  items: z.array(z.string().min(1).max(1_500)).min(1).max(40).describe('One line each. Several work items may share a line, divided by a semicolon.'),
  keyMetrics: z.string().max(3_000).describe('One line that begins with 关键指标 or "Key metrics" and gives every metric with its value, or says 未提供 or "not provided".'),
  plan: z.string().max(1_000).describe('One line that begins with 下周计划 or "Plan".'),
});
export type WeeklyReportOutput = z.output<typeof weeklyReportOutputSchema>;
