import type { SupportInput, SupportOutput } from './schemas.ts';

export const MESSAGE_MARK = 'Customer message:\n';

/** The facts of the calling service come first, so that nothing in the customer's text can pass for them. */
export function renderSupportInput({ message, customerId, channel }: SupportInput): string {
  const who = customerId ? `Customer id: ${customerId} (identified by the calling service)` : 'Customer id: unknown (not identified)';
  return `${who}\nChannel: ${channel ?? 'unknown'}\n${MESSAGE_MARK}${message}`;
}

/** The reply as far as it is written. */
export function previewSupport(partial: unknown): string | null {
  const { reply } = (partial ?? {}) as Partial<SupportOutput>;
  return typeof reply === 'string' ? reply : null;
}

export function renderSupportOutput({ reply }: SupportOutput): string {
  return reply;
}
