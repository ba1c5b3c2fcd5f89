import type { CallProblemCode, ToolCallStatus } from '../contracts/reasons.ts';
import { withoutMarkers } from '../contracts/reserved-markers.ts';
import { cutText } from './preview.ts';

export interface RenderResultOptions {
  tool: string;
  status: ToolCallStatus;
  /** Characters (UTF-16 code units) of the result that are shown. */
  maxChars: number;
  /** Where the whole result is kept; null when it is not. */
  hash: string | null;
}

/**
 * A tool's result as the model is shown it: marked as data that nobody vouches for, unable to close its own envelope, and cut with a
 * notice of its full size. `cut` says whether it was.
 */
export function renderResult(text: string, options: RenderResultOptions): { text: string; cut: boolean } {
  const shown = cutText(text, options.maxChars);
  const cut = shown.length < text.length;
  const notice = cut ? `\n[cut: showing the first ${shown.length} of ${text.length} characters; full result: ${options.hash ? `blob ${options.hash}` : 'not kept'}]` : '';
  const open = `<tool_result tool="${attribute(options.tool)}" status="${options.status}" trust="data">`;
  return { text: `${open}\n${withoutMarkers(shown)}\n</tool_result>${notice}`, cut };
}

/** A call that did not run or did not succeed, as the model is told of it. */
export function renderProblem(code: CallProblemCode, message: string, status: ToolCallStatus = 'failure'): string {
  return JSON.stringify({ status, code, reason: withoutMarkers(message) });
}

function attribute(text: string): string {
  return text.replace(/[^\w.-]/g, '_');
}
