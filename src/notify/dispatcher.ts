import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { NotificationRow } from '../store/notifications.ts';
import type { Store } from '../store/store.ts';
import { createRedactor } from '../telemetry/redaction.ts';
import { createGuardedFetch, type GuardedFetch } from '../tools/http-fetch.ts';
import { createCircuit, type Circuit } from './circuit.ts';
import { DeliveryError } from './delivery-error.ts';
import { emailSender } from './senders/email.ts';
import type { Send } from './senders/sender.ts';
import { slackSender } from './senders/slack.ts';
import { webhookSender } from './senders/webhook.ts';
import type { NotifyConfig, Target } from './targets.ts';

export interface DispatcherOptions {
  store: Pick<Store, 'notifications'>;
  config: NotifyConfig;
  log: Logger;
  /** Between two looks for what is due, ms. Default 1,000. */
  pollMs?: number;
  /** Of one try, ms. Default 10,000. */
  timeoutMs?: number;
  /** Of one target at once. Default 4. */
  limit?: number;
  /** Given up after so many tries. Default 10, which is about ten hours. */
  maxAttempts?: number;
  /** Before the second try, ms; three times as long before each next, at most 6 h. Default 5,000. */
  backoffMs?: number;
  /** How long a claim lasts; a dispatcher that dies holds its notifications up for so long, ms. Default the timeout and 30 s. */
  leaseMs?: number;
  /** When a target is left alone: default after 5 failures, for 30 s at first. */
  circuit?: { failures?: number; openMs?: number };
}

export interface Dispatcher {
  /** Lets what is being sent end, within the timeout of a try. Idempotent. */
  stop(): Promise<void>;
}

const MAX_BACKOFF_MS = 6 * 3_600_000;

/** Sends what the outbox holds, each target by itself: a slow one holds nobody else up. Several dispatchers share the work. */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { config, timeoutMs = 10_000 } = options;
  const fetch = createGuardedFetch({ allow: config.allowInternal, ports: 'any', maxRedirects: 0, maxBytes: 64 * 1024, timeoutMs });
  const stopping = new AbortController();
  const loops = config.targets.map((target) => serve(target, options, fetch, stopping.signal));
  let stopped: Promise<void> | null = null;
  return {
    stop: () =>
      (stopped ??= (async () => {
        stopping.abort();
        await Promise.all(loops);
        await fetch.close();
      })()),
  };
}

async function serve(target: Target, options: DispatcherOptions, fetch: GuardedFetch, stopping: AbortSignal): Promise<void> {
  const { store, config, log, pollMs = 1_000, timeoutMs = 10_000, limit = 4 } = options;
  const send = senderOf(target, config, fetch, timeoutMs);
  const circuit = createCircuit({ limit, ...options.circuit });
  const leaseMs = options.leaseMs ?? timeoutMs + 30_000;
  while (!stopping.aborted) {
    const room = circuit.room(Date.now());
    let claimed: NotificationRow[] = [];
    try {
      if (room.limit > 0) claimed = await store.notifications.claim({ target: target.name, limit: room.limit, leaseMs });
      await Promise.all(claimed.map((row) => deliver(row, send, circuit, options)));
    } catch (error) {
      log.warn({ target: target.name, error: error instanceof Error ? error.message : String(error) }, 'the outbox of notifications is not reached; trying again');
      claimed = [];
    }
    if (claimed.length === 0) await pause(Math.min(Math.max(pollMs, room.waitMs), 5_000), stopping);
  }
  if ('close' in send) (send as { close(): void }).close();
}

function senderOf(target: Target, { consoleUrl }: NotifyConfig, fetch: GuardedFetch, timeoutMs: number): Send {
  switch (target.channel) {
    case 'webhook':
      return webhookSender(target, fetch, consoleUrl);
    case 'slack':
      return slackSender(target, fetch, consoleUrl);
    case 'email':
      return emailSender(target, consoleUrl, timeoutMs);
  }
}

/** One try and its mark. Cut off between the two, it is sent once more under the same id. */
async function deliver(row: NotificationRow, send: Send, circuit: Circuit, options: DispatcherOptions): Promise<void> {
  const { store, config, log, timeoutMs = 10_000, maxAttempts = 10 } = options;
  const facts = { notification: row.notificationId, target: row.target, event: row.event, task_id: row.taskId, attempt: row.attempts };
  try {
    await send(row, AbortSignal.timeout(timeoutMs));
  } catch (error) {
    circuit.failed(Date.now());
    const reason = createRedactor(config.secrets).text(error instanceof Error ? error.message : String(error));
    const failure = error instanceof DeliveryError ? error : null;
    const dead = failure?.permanent || row.attempts >= maxAttempts;
    await store.notifications.markFailed(row, reason, dead ? null : retryInMs(row.attempts, failure?.retryAfterMs ?? 0, options));
    log[dead ? 'error' : 'warn']({ ...facts, reason }, dead ? 'notification given up' : 'notification not accepted; trying again later');
    return;
  }
  circuit.succeeded();
  await store.notifications.markSent(row);
  log.info(facts, 'notification sent');
}

/** A fifth more or less, so that many don't come back at once. */
function retryInMs(attempts: number, askedMs: number, { backoffMs = 5_000 }: DispatcherOptions): number {
  const wait = Math.min(backoffMs * 3 ** (attempts - 1), MAX_BACKOFF_MS);
  return Math.round(Math.max(wait * (0.8 + Math.random() * 0.4), Math.min(askedMs, 24 * 3_600_000)));
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {}); // stopping: no more waiting
}
