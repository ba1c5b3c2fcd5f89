import { withHiddenNamed } from '../contracts/hidden-characters.ts';
import type { NotificationEvent, NotificationPayload } from '../contracts/notification.ts';

/** What is sent of a stored notification. */
export interface Notification {
  notificationId: string;
  event: NotificationEvent;
  taskId: string;
  approvalId: string | null;
  payload: NotificationPayload;
  createdAt: Date;
}

const TITLES: Record<NotificationEvent, string> = {
  approval_opened: 'Approval needed',
  approval_reminder: 'Approval still needed',
  approval_escalated: 'Approval escalated',
  approval_expired: 'Approval expired',
  task_handed_off: 'Task handed to a person',
  task_failed: 'Task failed',
};
const DEFAULTS: Record<string, string> = { reject: 'it is rejected', approve: 'it is approved', handoff: 'the task is handed to a person', continue: 'the task goes on without' };

/** Where the console shows it; null without a console. */
export function linkOf({ taskId, approvalId }: Pick<Notification, 'taskId' | 'approvalId'>, consoleUrl: string | null): string | null {
  if (consoleUrl === null) return null;
  const task = encodeURIComponent(taskId);
  return approvalId === null ? `${consoleUrl}/tasks/${task}` : `${consoleUrl}/inbox/${task}/${encodeURIComponent(approvalId)}`;
}

/** A line that shows every character it has: what models and users wrote can neither hide nor reorder anything, nor begin a line of its own. */
export function visibleLine(text: string): string {
  return withHiddenNamed(text.replace(/\s+/g, ' ').trim());
}

/** For people: a subject and some lines. Says who may decide and until when; what exactly is decided is behind the link. */
export function notificationText(notification: Notification, consoleUrl: string | null): { subject: string; lines: string[]; link: string | null } {
  const { event, taskId, payload } = notification;
  const { approval, outcome } = payload;
  const link = linkOf(notification, consoleUrl);
  const lines = [payload.summary, `Agent: ${payload.agent}. Task: ${taskId}, started by ${payload.startedBy}.`];
  if (approval) {
    const who = approval.people ? approval.people.join(', ') : approval.roles.join(' or ');
    lines.push(
      `${approval.tool ? `Tool: ${approval.tool}. ` : ''}Risk: ${approval.risk}. May decide: ${who}${approval.quorum > 1 ? ` (${approval.quorum} different people)` : ''}.`,
    );
    if (event !== 'approval_expired') lines.push(`Until ${new Date(approval.expiresAt).toISOString()}; after that ${DEFAULTS[approval.onTimeout] ?? approval.onTimeout}.`);
  }
  if (outcome) lines.push(`Outcome: ${outcome.outcome} (${outcome.reason}).`);
  const subject = visibleLine(`[Loopwright] ${TITLES[event]}: ${approval?.tool ?? approval?.kind ?? payload.agent}${approval ? ` (${approval.risk})` : ''}`);
  return { subject, lines: lines.map(visibleLine), link };
}
