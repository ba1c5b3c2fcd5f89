import type { StoredEvent } from '../contracts/task-event.ts';

/** Something that was recorded; each comes once, in order. */
export interface WatchedEvent {
  type: 'event';
  event: StoredEvent;
}
/** Text that a model writes now: a draft that no evaluator has judged. `text` begins at `offset`, UTF-16 units, of the call's text of this try. */
export interface Delta {
  type: 'delta';
  callKey: string;
  stage: string;
  try: number;
  offset: number;
  text: string;
  draft: true;
}
/** The call is made again: its text so far does not count. */
export interface DeltaReset {
  type: 'delta_reset';
  callKey: string;
  stage: string;
  try: number;
}
/** `complete: false`: the text broke off, or the answer can't be used, and must not be shown as one. */
export interface DeltaEnd {
  type: 'delta_end';
  callKey: string;
  complete: boolean;
}
export type Watched = WatchedEvent | Delta | DeltaReset | DeltaEnd;

/** Something in a tenant's lists; read again what is named. `refresh`: too much has changed, or may have been missed: read all again. */
export type TenantChange =
  | { type: 'task_changed'; taskId: string; event: string }
  | { type: 'approval_changed'; taskId: string; approvalId: string; event: string }
  | { type: 'refresh' };
