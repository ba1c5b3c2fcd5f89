import { Webhook } from 'standardwebhooks';
import type { GuardedFetch } from '../../tools/http-fetch.ts';
import { linkOf, visibleLine, type Notification } from '../notification-text.ts';
import type { WebhookTarget } from '../targets.ts';
import { postJson } from './post-json.ts';
import type { Send } from './sender.ts';

/** Signed by Standard Webhooks: receivers check `webhook-signature` and drop a `webhook-id` that they have had. */
export function webhookSender(target: WebhookTarget, fetch: GuardedFetch, consoleUrl: string | null): Send {
  const webhook = new Webhook(target.secret);
  return async (notification, signal) => {
    const body = webhookBody(notification, consoleUrl);
    const now = new Date();
    await postJson(
      fetch,
      target.url,
      body,
      {
        'webhook-id': notification.notificationId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': webhook.sign(notification.notificationId, now, body),
      },
      signal,
    );
  };
}

/** The same bytes at every try. */
function webhookBody(notification: Notification, consoleUrl: string | null): string {
  const { event, createdAt, taskId, approvalId, payload } = notification;
  return JSON.stringify({
    type: event.replace('_', '.'),
    timestamp: createdAt.toISOString(),
    data: { taskId, approvalId, ...payload, summary: visibleLine(payload.summary), link: linkOf(notification, consoleUrl) },
  });
}
