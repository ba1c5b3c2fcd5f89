/** Who is told, and how they are reached: by configuration. Secrets are names of environment variables; the values are in memory alone. */
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { DEFAULT_TENANT } from '../contracts/names.ts';
import { NOTIFICATION_EVENTS } from '../contracts/notification.ts';

type Environment = Record<string, string | undefined>;

const common = {
  /** Unique; stands in rows and logs. */
  name: z.string().regex(/^[\w.-]{1,100}$/),
  /** Whose tasks it is told of; `*`: everybody's. */
  tenants: z.array(z.string().min(1)).min(1).default([DEFAULT_TENANT]),
  /** Default all. */
  events: z.array(z.enum(NOTIFICATION_EVENTS)).min(1).optional(),
  /** Told of an approval only when one of these may decide it; default of every one. */
  roles: z.array(z.string().min(1)).min(1).optional(),
};
const url = z.url({ protocol: /^https?$/ });
const variable = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'is not the name of an environment variable. Put the secret into one and name it here');

const webhookSchema = z.strictObject({ ...common, channel: z.literal('webhook'), url: url.optional(), urlFrom: variable.optional(), secretFrom: variable });
const slackSchema = z.strictObject({ ...common, channel: z.literal('slack'), url: url.optional(), urlFrom: variable.optional() });
const emailSchema = z.strictObject({
  ...common,
  channel: z.literal('email'),
  from: z.string().min(3),
  to: z.array(z.string().min(3)).min(1),
  host: z.string().min(1),
  port: z.number().int().min(1).max(65_535),
  /** `tls` from the start, `starttls` or nothing is sent, or `none` (a relay on the same machine). */
  encryption: z.enum(['tls', 'starttls', 'none']).default('starttls'),
  user: z.string().optional(),
  passwordFrom: variable.optional(),
});
const fileSchema = z.strictObject({
  /** Where people open the console: links begin with it. Default: LOOPWRIGHT_GATEWAY_PUBLIC_URL. */
  consoleUrl: url.optional(),
  /** Internal ranges that webhooks may reach, as `10.0.0.0/8`. */
  allowInternal: z.array(z.union([z.cidrv4(), z.cidrv6()])).default([]),
  targets: z.array(z.discriminatedUnion('channel', [webhookSchema, slackSchema, emailSchema])),
});
type Written = z.infer<typeof fileSchema>['targets'][number];

export type WebhookTarget = z.infer<typeof webhookSchema> & { url: string; secret: string };
export type SlackTarget = z.infer<typeof slackSchema> & { url: string };
export type EmailTarget = z.infer<typeof emailSchema> & { password: string | null };
export type Target = WebhookTarget | SlackTarget | EmailTarget;

export interface NotifyConfig {
  /** Without a slash at its end; null: notifications have no link. */
  consoleUrl: string | null;
  allowInternal: string[];
  targets: Target[];
  /** To be kept out of logs and rows. */
  secrets: string[];
}

/** The targets can't be used; names the place and the fix, never a value. */
class NotifyConfigError extends Error {
  override readonly name = 'NotifyConfigError';
}

/** Of LOOPWRIGHT_NOTIFY_FILE, and LOOPWRIGHT_NOTIFY_WEBHOOK_URL and LOOPWRIGHT_NOTIFY_SLACK_URL for one target each. @throws {NotifyConfigError} */
export function loadNotifyConfig(environment: Environment = process.env): NotifyConfig {
  const file = readTargets(environment['LOOPWRIGHT_NOTIFY_FILE']?.trim());
  const written = [...file.targets, ...fromVariables(environment)];
  const twice = written.find((target, index) => written.findIndex((each) => each.name === target.name) < index);
  if (twice) throw new NotifyConfigError(`Two notification targets are named ${twice.name}. Give each a name of its own.`);
  const secrets: string[] = [];
  const secretOf = (place: string, name: string): string => {
    const value = environment[name]?.trim();
    if (!value) throw new NotifyConfigError(`${place} names ${name}, which is not set. Set it in the environment of the worker.`);
    secrets.push(value);
    return value;
  };
  const targets = written.map((target) => resolveTarget(target, secretOf));
  const consoleUrl = file.consoleUrl ?? environment['LOOPWRIGHT_GATEWAY_PUBLIC_URL']?.trim();
  return { consoleUrl: consoleUrl?.replace(/\/+$/, '') || null, allowInternal: file.allowInternal, targets, secrets };
}

function readTargets(path: string | undefined): z.infer<typeof fileSchema> {
  if (!path) return { allowInternal: [], targets: [] };
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new NotifyConfigError(`LOOPWRIGHT_NOTIFY_FILE can't be read as JSON: ${(error as Error).message}`, { cause: error });
  }
  const parsed = fileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || '(file)'}: ${issue.message}`);
  throw new NotifyConfigError(['LOOPWRIGHT_NOTIFY_FILE is not usable:', ...lines].join('\n'));
}

function fromVariables(environment: Environment): Written[] {
  const targets: unknown[] = [];
  if (environment['LOOPWRIGHT_NOTIFY_WEBHOOK_URL'])
    targets.push({ name: 'webhook', channel: 'webhook', urlFrom: 'LOOPWRIGHT_NOTIFY_WEBHOOK_URL', secretFrom: 'LOOPWRIGHT_NOTIFY_WEBHOOK_SECRET' });
  if (environment['LOOPWRIGHT_NOTIFY_SLACK_URL']) targets.push({ name: 'slack', channel: 'slack', urlFrom: 'LOOPWRIGHT_NOTIFY_SLACK_URL' });
  return fileSchema.parse({ targets }).targets;
}

function resolveTarget(target: Written, secretOf: (place: string, name: string) => string): Target {
  const place = `Notification target ${target.name}`;
  if (target.channel === 'email') return { ...target, password: target.passwordFrom ? secretOf(place, target.passwordFrom) : null };
  const address = target.urlFrom ? secretOf(place, target.urlFrom) : target.url;
  if (!address || !url.safeParse(address).success)
    throw new NotifyConfigError(`${place} has no usable address. Set url to an HTTP address, or urlFrom to the variable that holds it.`);
  if (target.channel === 'slack') return { ...target, url: address };
  const secret = secretOf(place, target.secretFrom);
  try {
    new Webhook(secret).sign('probe', new Date(0), '');
  } catch {
    throw new NotifyConfigError(`${place}: ${target.secretFrom} is no signing secret. Use whsec_ and 24 to 64 random bytes in base64.`);
  }
  return { ...target, url: address, secret };
}
