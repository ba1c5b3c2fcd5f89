import type { ApprovalView } from '../../../contracts/api/approvals.ts';

/** What is approved, read from its canonical JSON text. */
export interface Payload {
  /** Undefined when the text is cut, or is no JSON. */
  value: unknown;
  /** What an edit would change; null when there is nothing to edit. */
  editable: Record<string, unknown> | null;
}

export function readPayload({ payload, payloadCut, kind }: Pick<ApprovalView, 'payload' | 'payloadCut' | 'kind'>): Payload {
  if (payloadCut) return { value: undefined, editable: null };
  const value = parse(payload);
  const canEdit = (kind === 'tool_call' || kind === 'output' || kind === 'rule') && typeof value === 'object' && value !== null && !Array.isArray(value);
  return { value, editable: canEdit ? (value as Record<string, unknown>) : null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
