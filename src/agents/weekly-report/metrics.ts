import type { EvaluationContext } from '../../evaluation/define-evaluator.ts';
import type { WeeklyReportInput } from './schemas.ts';
import type { Metric } from './wording.ts';

/** A comma inside a number ("1,280") divides nothing. */
const DIVIDERS = /[;；、，\n]|,(?!\d{3}(?!\d))|(?<!\d),/;
const NAMED = /^(.*?[^\s:：=])\s*(?:[:：=]|\s(?=[-+¥￥$€£]?\d)|(?<=\p{Script=Han})(?=[-+¥￥$€£]?\d)|\s+(?:is|was|are)\s+|是|为)\s*(.+)$/u;
const MAX_ANSWERED = 30;

/** Reads metrics from a person's answer: "订单量 1280，转化率：3.2%". What has no name and value is left out. */
export function metricsIn(answer: string): Metric[] {
  return answer
    .split(DIVIDERS)
    .flatMap((part): Metric[] => {
      const [, name = '', value = ''] = NAMED.exec(part.trim()) ?? [];
      const end = value.trim().replace(/[。.!！]+$/, '');
      return name.trim() === '' || end === '' ? [] : [[name.trim().slice(0, 60), end.slice(0, 100)]];
    })
    .slice(0, MAX_ANSWERED);
}

/** The metrics of the input, by name. */
export function inputMetrics({ metrics = {} }: WeeklyReportInput): Metric[] {
  return Object.entries(metrics).map(([name, value]) => [name, String(value)]);
}

/** The metrics that a report must give: of the input, else of the answers to the agent's question. Empty: nobody gave any. */
export function givenMetrics({ input, perception }: EvaluationContext): Metric[] {
  const stated = inputMetrics(input as WeeklyReportInput);
  return stated.length > 0 ? stated : Object.entries(perception?.entities ?? {}).map(([name, value]) => [name, String(value)]);
}
