import type { WeeklyReportOutput } from '../schemas.ts';
import { keyMetricsLine, MAX_LINES, titleLine, WORDS } from '../wording.ts';
import { wasTold, type View } from './view.ts';

/** Lines that are no work items: title, key metrics, plan. */
const OTHER_LINES = 3;
const INVENTED = { zh: '，环比增长 18%', en: ', up 18% on last week' };

/** Writes the report, with the mistakes that this conversation asks for. */
export function writeDraft(view: View): WeeklyReportOutput {
  const {
    task: { language, week },
    metrics,
    mistakes,
  } = view;
  const report = {
    title: titleLine(language, week ?? undefined),
    items: itemLines(view),
    keyMetrics: hasMetrics(view) ? keyMetricsLine(language, metrics) : '',
    plan: planLine(view),
  };
  if (mistakes.losesGoodParts) return loseParts(report, view.corrections.length);
  if (mistakes.inventsGrowth && !wasTold(view, 'ungrounded')) return { ...report, items: report.items.map((line, index) => (index === 0 ? line + INVENTED[language] : line)) };
  return report;
}

/** Forgotten at first, unless they were just talked about. */
function hasMetrics(view: View): boolean {
  if (view.mistakes.neverWritesMetrics) return false;
  return wasTold(view, 'missing_metric') || view.asked || view.mistakes.inventsGrowth;
}

/** One line an item, until told that this is too long. */
function itemLines(view: View): string[] {
  const { language, workItems } = view.task;
  if (!wasTold(view, 'too_many')) return workItems;
  const perLine = Math.ceil(workItems.length / (MAX_LINES - OTHER_LINES));
  return Array.from({ length: Math.ceil(workItems.length / perLine) }, (_, line) => workItems.slice(line * perLine, (line + 1) * perLine).join(WORDS[language].separator));
}

/** Says in general how it goes on, until a person finds that too little. */
function planLine(view: View): string {
  const { language, workItems } = view.task;
  const { plan, between } = WORDS[language];
  const what = wasTold(view, 'scored_low_by_person') || wasTold(view, 'rejected_by_person') ? (workItems.at(-1) ?? '') : language === 'zh' ? '以上事项' : 'the items above';
  return `${plan}${between}${language === 'zh' ? '继续推进' : 'go on with '}${what}`;
}

/** The second draft has its metrics but lost an item, the third has the items but lost its title. */
function loseParts(report: WeeklyReportOutput, corrections: number): WeeklyReportOutput {
  if (corrections === 1) return { ...report, items: report.items.length > 1 ? report.items.slice(0, -1) : ['—'] };
  return corrections > 1 ? { ...report, title: '—' } : report;
}
