/** A chat that can't be had, or a message that went nowhere; `code` says which, the message names the field and what to do. */
export class ChatError extends Error {
  override readonly name = 'ChatError';
  readonly code: 'unknown_agent' | 'no_chat' | 'unknown_session' | 'invalid_message' | 'busy';
  constructor(code: ChatError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
