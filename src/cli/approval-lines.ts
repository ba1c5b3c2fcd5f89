import { HIDDEN_CHARACTERS, codePointName } from '../contracts/hidden-characters.ts';
import type { PendingApproval } from '../store/approvals.ts';
import { duration, time } from './text/format.ts';
import { lines, type Paint, type Safe, safe } from './text/safe.ts';
import { visibleJson } from './text/visible.ts';

/**
 * What an approver must see: which task, what exactly, how dangerous, who may, until when.
 * @param whole the payload over several lines, as indented JSON
 */
export function approvalLines(paint: Paint, approval: Omit<PendingApproval, 'agent'>, { whole = false }: { whole?: boolean } = {}): Safe[] {
  const risk = approval.risk === 'dangerous' ? paint.red(approval.risk) : approval.risk === 'write' ? paint.yellow(approval.risk) : paint.green(approval.risk);
  const row = (label: string, text: Safe): Safe => safe`  ${paint.dim(label.padEnd(9))} ${text}`;
  const hidden = hiddenIn(approval.payload);
  return [
    safe`${paint.bold(approval.id)} of ${paint.bold(approval.taskId)} · ${approval.kind.replace('_', ' ')}${approval.tool ? safe` ${paint.cyan(approval.tool)}` : ''} · risk ${risk}`,
    row('why', safe`${approval.summary}`),
    ...(whole ? [row('exactly', safe``), ...lines(pretty(approval.payload), '    ')] : [row('exactly', safe`${approval.payload}`)]),
    ...(hidden.length > 0 ? [row('warning', paint.red(`it has characters that show nothing or reorder text: ${hidden.join(', ')}`))] : []),
    ...(approval.hash === null ? [] : [row('hash', safe`${approval.hash}`)]),
    ...whoRows(approval).map((text) => row('who', text)),
    approval.status === 'pending' ? row('time left', leftText(paint, approval)) : row('status', statusText(approval)),
  ];
}

function whoRows({ approvers, votes, status }: Pick<PendingApproval, 'approvers' | 'votes' | 'status'>): Safe[] {
  if (status !== 'pending') return [];
  const people = approvers.people ? `, of them only ${approvers.people.join(', ')}` : '';
  const requester = approvers.excludeRequester ? '; not whoever started the task' : '';
  const several = approvers.quorum > 1 ? `${approvers.quorum} different people with ` : '';
  const given = votes.length > 0 ? [safe`${votes.map(({ by, at }) => `${by} approved, ${time(at)}`).join('; ')}: one more must`] : [];
  return [safe`${several}role ${approvers.roles.join(' or ')}${people}${requester}`, ...given];
}

function leftText(paint: Paint, { expiresAt, onTimeout }: Pick<PendingApproval, 'expiresAt' | 'onTimeout'>): Safe {
  const left = expiresAt - Date.now();
  return left > 0 ? safe`${duration(left)}, until ${time(expiresAt)}; then ${onTimeout}` : safe`${paint.red('none')}: it expired at ${time(expiresAt)}`;
}

function statusText({ status, decision }: Pick<PendingApproval, 'status' | 'decision'>): Safe {
  return safe`${status}${decision ? ` by ${decision.by}, ${time(decision.at)}` : ''}`;
}

/** Names of the characters that a reader would not see; line breaks and tabs are no surprise. */
function hiddenIn(text: string): string[] {
  const found = text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))).match(HIDDEN_CHARACTERS) ?? [];
  return [...new Set(found.filter((character) => !'\n\r\t'.includes(character)).map(codePointName))];
}

function pretty(payload: string): string {
  try {
    return visibleJson(JSON.parse(payload), 2);
  } catch {
    return payload; // an output may be plain text
  }
}
