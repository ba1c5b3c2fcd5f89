import { defineEvaluator, type FoundIssue } from '../../../evaluation/define-evaluator.ts';
import { givenMetrics } from '../metrics.ts';
import type { WeeklyReportInput, WeeklyReportOutput } from '../schemas.ts';
import { keyMetricsLine, WORDS, type Metric } from '../wording.ts';

/** As readers compare: width, case, thousands separators and space before a sign make no difference. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/\s+(?=[%‰])/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The value as a whole: 5 is not in 15, 5.5 or -5. */
function hasValue(text: string, value: string): boolean {
  const [before, after] = [/^[\p{L}\p{N}+-]/u.test(value) ? String.raw`(?<![\w.+-]|\d,)` : '', /[\p{Script=Latin}\p{N}]$/u.test(value) ? String.raw`(?![\w%‰]|[.,]\d)` : ''];
  return new RegExp(before + value.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) + after, 'u').test(text);
}

/** What is said of each name: the text from it to the next name. The longest names are found first ("订单量增长" is not "订单量"). */
function saidOf(text: string, names: string[]): Map<string, string[]> {
  let rest = text;
  const places: { name: string; start: number; end: number }[] = [];
  for (const name of [...new Set(names)].toSorted((a, b) => b.length - a.length)) {
    for (let start = rest.indexOf(name); start >= 0; start = rest.indexOf(name, start + name.length)) {
      places.push({ name, start, end: start + name.length });
      rest = rest.slice(0, start) + '\u0000'.repeat(name.length) + rest.slice(start + name.length);
    }
  }
  places.sort((a, b) => a.start - b.start);
  const said = new Map<string, string[]>();
  for (const [index, { name, end }] of places.entries()) said.set(name, [...(said.get(name) ?? []), text.slice(end, places[index + 1]?.start ?? text.length)]);
  return said;
}

function isGiven([name, value]: Metric, said: Map<string, string[]>): boolean {
  return (said.get(plain(name)) ?? []).some((part) => hasValue(part, plain(value)));
}

/**
 * The line of key metrics is there, and gives each metric's own value after its name; where nobody gave metrics it says so instead. All or
 * nothing: a report that lacks one lacks its key metrics.
 */
export const keyMetrics = defineEvaluator<WeeklyReportInput, WeeklyReportOutput>({
  name: 'key_metrics',
  kind: 'rule',
  hard: true,
  weight: 24,
  evaluate(context) {
    const {
      input: { language },
      output,
    } = context;
    const words = WORDS[language];
    const metrics = givenMetrics(context);
    const right = keyMetricsLine(language, metrics);
    const text = plain(output.keyMetrics);
    const issue = (type: string, subject: string, message: string): FoundIssue => ({
      type,
      severity: 'high',
      subject,
      message,
      fix: `Write the line: ${right}`,
      ...(text === '' ? {} : { evidence: output.keyMetrics }),
    });
    const issues: FoundIssue[] = [];
    if (!text.includes(plain(words.keyMetrics))) {
      issues.push(issue('missing_metrics', 'key metrics', `The report has no line "${words.keyMetrics}".`));
    } else if (metrics.length === 0) {
      if (!text.includes(plain(words.notProvided)))
        issues.push(issue('missing_metrics', 'not provided', `No metrics were given, and the line does not say "${words.notProvided}".`));
    } else {
      const said = saidOf(
        text,
        metrics.map(([name]) => plain(name)),
      );
      for (const metric of metrics)
        if (!isGiven(metric, said)) issues.push(issue('missing_metric', metric[0], `"${metric[0]}" with its value ${metric[1]} is not in the line of key metrics.`));
    }
    return {
      passed: issues.length === 0,
      score: issues.length === 0 ? 100 : 0,
      issues,
      keep: issues.length === 0 ? [output.keyMetrics] : [],
      evidence:
        issues.length === 0
          ? `${metrics.length === 0 ? `"${words.notProvided}"` : `${metrics.length} metrics with their values`} in "${output.keyMetrics}"`
          : `missing: ${issues.map(({ subject }) => subject).join(', ')}`,
    };
  },
});
