import { sha256 } from '../../store/text.ts';

/** Ids of a task's events: the number, and which task, so that one of another task resumes nothing. */
export function eventIdOf(taskId: string, number: number): string {
  return `${number}-${markOf(taskId)}`;
}

/** The number of an event that this task has, or null: no id of it. @param newest number of its newest event */
export function numberOf(taskId: string, eventId: string, newest: number): number | null {
  const [, digits, mark] = /^(\d{1,9})-([0-9a-f]{8})$/.exec(eventId.trim()) ?? [];
  if (digits === undefined || mark !== markOf(taskId)) return null;
  const number = Number(digits);
  return number <= newest ? number : null;
}

function markOf(taskId: string): string {
  return sha256(taskId).slice(0, 8);
}
