import type { RuleMoveCode, RuleMoveRefusal } from '../policy/lifecycle.ts';

/** A rule was not moved, edited or proposed as asked; nothing was written. The message says what to change. */
export class RuleMoveRefused extends Error {
  override readonly name = 'RuleMoveRefused';
  readonly code: RuleMoveCode;
  readonly field: RuleMoveRefusal['field'];
  constructor({ code, field, message }: RuleMoveRefusal) {
    super(message);
    this.code = code;
    this.field = field;
  }
}
