import type { Tool } from '../../tools/define-tool.ts';

/** All that a report may say is in the input, so there is nothing to look up and nothing to change. */
export const weeklyReportTools: Tool[] = [];
