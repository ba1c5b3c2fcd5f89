import { createTransport } from 'nodemailer';
import { DeliveryError } from '../delivery-error.ts';
import { notificationText } from '../notification-text.ts';
import type { EmailTarget } from '../targets.ts';
import type { Send } from './sender.ts';

/** By SMTP. The `Message-ID` is that of the notification, so a mail that was sent twice is one in most mailboxes. */
export function emailSender(target: EmailTarget, consoleUrl: string | null, timeoutMs: number): Send & { close(): void } {
  const { host, port, encryption, user, password } = target;
  const transport = createTransport({
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    ignoreTLS: encryption === 'none',
    ...(user ? { auth: { user, pass: password ?? '' } } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const send: Send = async (notification, signal) => {
    const { subject, lines, link } = notificationText(notification, consoleUrl);
    const mail = {
      from: target.from,
      to: target.to,
      subject,
      text: [...lines, ...(link ? ['', link] : []), ''].join('\n'),
      messageId: `<${notification.notificationId}@loopwright>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Loopwright-Event': notification.event },
    };
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = (): void => reject(new DeliveryError(`${host} did not answer within ${timeoutMs} ms`));
    signal.addEventListener('abort', abort, { once: true });
    try {
      await Promise.race([transport.sendMail(mail), aborted]);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      const { responseCode, message } = error as Error & { responseCode?: number };
      // 5xx: the server will not take it, whatever we do; 535 is about the password, which may be put right
      throw new DeliveryError(`${host}: ${message}`, { permanent: responseCode !== undefined && responseCode >= 550 });
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
  return Object.assign(send, { close: () => transport.close() });
}
