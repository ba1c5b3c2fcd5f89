import type { Tool } from '../../tools/define-tool.ts';

/** None: the requirement is all that is needed, and the reference runs as an evaluator, where the writer can't ask it first. */
export const testCasesTools: Tool[] = [];
