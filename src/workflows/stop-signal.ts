import type { Reason } from '../contracts/reasons.ts';

/** Ends the attempt, from however deep in a turn, for a reason that trying again would not change. */
export class AttemptStop extends Error {
  override readonly name = 'AttemptStop';
  readonly reason: Reason;
  /** What the user is told instead of the agent's closing text (a model's refusal). */
  readonly userText: string | null;
  constructor(reason: Reason, explanation: string, userText: string | null = null) {
    super(explanation);
    this.reason = reason;
    this.userText = userText;
  }
}

/** Unwinds to the top, which continues as new from the start of the current turn. */
export class RollOver extends Error {
  override readonly name = 'RollOver';
}
