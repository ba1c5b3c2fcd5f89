import { weeklyReportAgent } from '../../../../src/agents/weekly-report/agent.ts';
import { renderWeeklyReportOutput } from '../../../../src/agents/weekly-report/render.ts';
import type { WeeklyReportInput, WeeklyReportOutput } from '../../../../src/agents/weekly-report/schemas.ts';
import { keyMetricsLine, titleLine } from '../../../../src/agents/weekly-report/wording.ts';
import { inputMetrics } from '../../../../src/agents/weekly-report/metrics.ts';
import type { Verdict } from '../../../../src/contracts/verdict.ts';
import type { EvaluationContext } from '../../../../src/evaluation/define-evaluator.ts';
import { runEvaluators } from '../../../../src/evaluation/run-evaluators.ts';
import { combineVerdicts, type Combined } from '../../../../src/policy/score.ts';
import { contextOf } from '../../evaluation/context.ts';

export const ZH: WeeklyReportInput = { workItems: ['完成登录页面改版', '修复 3 个支付缺陷'], metrics: { 订单量: 1280, 转化率: '3.2%' }, week: '2026-W48', language: 'zh' };
export const EN: WeeklyReportInput = {
  workItems: ['Shipped the search page', 'Fixed 3 payment bugs'],
  metrics: { Orders: 1280, Conversion: '3.2%' },
  week: '2026-W48',
  language: 'en',
};

/** A report that is right for the input. */
export function rightReport(input: WeeklyReportInput): WeeklyReportOutput {
  return {
    title: titleLine(input.language, input.week),
    items: input.workItems,
    keyMetrics: keyMetricsLine(input.language, inputMetrics(input)),
    plan: input.language === 'zh' ? '下周计划：继续推进以上事项' : 'Plan for next week: go on with the items above',
  };
}

/** The rules' verdicts; the judge is asked nothing here. */
export async function judgeByRules(
  input: WeeklyReportInput,
  change: Partial<WeeklyReportOutput> = {},
  context: Partial<EvaluationContext> = {},
): Promise<Combined & { verdicts: Verdict[]; failed: string[]; types: string[] }> {
  const output = { ...rightReport(input), ...change };
  const rules = weeklyReportAgent.evaluators.filter(({ kind }) => kind === 'rule');
  const verdicts = await runEvaluators(rules, contextOf(renderWeeklyReportOutput(output), { agent: 'weekly-report', input, output, ...context }), 'weekly-report');
  return {
    ...combineVerdicts(verdicts, 80),
    verdicts,
    failed: verdicts.filter(({ passed }) => !passed).map(({ evaluator }) => evaluator),
    types: verdicts.flatMap(({ issues }) => issues.map(({ type }) => type)),
  };
}
