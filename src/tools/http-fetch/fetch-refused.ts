import { ToolFailure } from '../define-tool.ts';

export type FetchRefusal = 'blocked_address' | 'blocked_url' | 'blocked_redirect' | 'response_too_large' | 'response_encoded';

/** A request that was not made, or an answer that was not taken, by our own rules: asking again gives the same. */
export class FetchRefused extends ToolFailure {
  readonly refusal: FetchRefusal;
  constructor(refusal: FetchRefusal, message: string) {
    super(refusal, message);
    this.refusal = refusal;
  }
}
