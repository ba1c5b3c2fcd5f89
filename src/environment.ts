/** The environment variables of the settings: what each may hold, and what is said of one that is wrong. */
import { z } from 'zod';
import { DEFAULT_TASK_QUEUE } from './contracts/names.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Message of a schema: what is wrong and the fix, parted by "|". */
const says = (problem: string, fix: string) => ({ error: `${problem}|${fix}` });
const isUrl =
  (...protocols: string[]) =>
  (text: string) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol);

const model = z.string().max(200, says('is longer than 200 characters', "Set it to a model's name, such as gpt-4.1-mini")).optional();
const flag = (byDefault: boolean) =>
  z
    .enum(['true', 'false', '1', '0'], says('is neither true nor false', 'Set it to true or false, or unset it'))
    .transform((text) => text === 'true' || text === '1')
    .default(byDefault);
/** USD per million tokens, as providers state it; kept as micro-USD per million tokens. */
const price = z.coerce
  .number(says('is not a number', 'Set it to USD per million tokens, such as 0.15'))
  .min(0, says('is negative', 'Set it to USD per million tokens, such as 0.15'))
  .max(100_000, says('is above 100,000 USD', 'Set it to USD per million tokens, such as 0.15'))
  .transform((usd) => Math.round(usd * 1_000_000))
  .optional();

const httpUrl = z.string().refine(isUrl('http:', 'https:'), says('is not an HTTP URL', 'Set it to a URL such as https://loopwright.example.com, or unset it')).optional();
/** Keys that come over plain HTTP prove nothing, except from this machine. */
const issuerUrl = httpUrl.refine((url) => !url || /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/]|$)/.test(url), says('is not an HTTPS URL', 'Set it to an https:// URL'));
const MAX_PORT = 65_535;

export const environmentSchema = z.object({
  LOOPWRIGHT_HOME: z.string().default('.loopwright'),
  LOOPWRIGHT_CACHE: z.string().optional(),
  DATABASE_URL: z
    .string()
    .refine(
      isUrl('postgres:', 'postgresql:'),
      says('is not a PostgreSQL URL', 'Set it to postgresql://user:password@host:5432/database, or unset it to use the embedded PostgreSQL'),
    )
    .optional(),
  OPENAI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, says('has spaces or characters outside ASCII', 'Copy the key again, without spaces around it'))
    .optional(),
  OPENAI_BASE_URL: z.string().refine(isUrl('http:', 'https:'), says('is not an HTTP URL', 'Set it to a URL such as https://api.openai.com/v1, or unset it')).optional(),
  LOOPWRIGHT_MODEL: model,
  LOOPWRIGHT_JUDGE_MODEL: model,
  LOOPWRIGHT_EMBEDDING_MODEL: model,
  LOOPWRIGHT_EMBEDDING_DIMENSIONS: z.coerce
    .number(says('is not a number', 'Set it to a number of dimensions, such as 512, or unset it'))
    .int(says('is not a whole number', 'Set it to a number of dimensions, such as 512, or unset it'))
    .min(8, says('is under 8', 'Set it to a number of dimensions, such as 512, or unset it'))
    .max(4_096, says('is above 4096', 'Set it to a number of dimensions, such as 512, or unset it'))
    .optional(),
  LOOPWRIGHT_MODEL_STRICT: flag(true),
  LOOPWRIGHT_MODEL_STREAM: flag(true),
  LOOPWRIGHT_CONTEXT_WINDOW: z.coerce
    .number(says('is not a number', 'Set it to tokens, such as 128000'))
    .int(says('is not a whole number', 'Set it to tokens, such as 128000'))
    .min(1_000, says('is under 1,000 tokens', 'Set it to tokens, such as 128000'))
    .default(128_000),
  LOOPWRIGHT_PRICE_INPUT: price,
  LOOPWRIGHT_PRICE_OUTPUT: price,
  LOOPWRIGHT_JUDGE_PRICE_INPUT: price,
  LOOPWRIGHT_JUDGE_PRICE_OUTPUT: price,
  LOOPWRIGHT_LEAVE_OUT_SHARE: z.coerce
    .number(says('is not a number', 'Set it to a share of the tasks, such as 0.05'))
    .min(0, says('is negative', 'Set it to a share of the tasks, such as 0.05'))
    .max(0.5, says('is above 0.5', 'Set it to a share of the tasks, such as 0.05'))
    .default(0.05),
  LOOPWRIGHT_TASK_QUEUE: z.string().max(200, says('is longer than 200 characters', 'Set a shorter name')).default(DEFAULT_TASK_QUEUE),
  LOOPWRIGHT_KEYS: z.string().optional(),
  LOOPWRIGHT_UNSIGNED_DECISIONS: z.enum(['true', 'false', '1', '0'], says('is neither true nor false', 'Set it to true or false, or unset it')).optional(),
  LOOPWRIGHT_GATEWAY_HOST: z.string().max(200, says('is longer than 200 characters', 'Set it to an address, such as 127.0.0.1')).default('127.0.0.1'),
  LOOPWRIGHT_GATEWAY_PORT: z.coerce
    .number(says('is not a number', 'Set it to a port, such as 7780'))
    .int(says('is not a whole number', 'Set it to a port, such as 7780'))
    .min(0, says('is negative', 'Set it to a port, such as 7780'))
    .max(MAX_PORT, says('is above 65535', 'Set it to a port, such as 7780'))
    .optional(),
  LOOPWRIGHT_GATEWAY_PUBLIC_URL: httpUrl,
  LOOPWRIGHT_GATEWAY_ORIGINS: z
    .string()
    .refine(areOrigins, says('is not a list of origins', 'Set it to origins with commas between them, such as https://app.example.com, or unset it'))
    .optional(),
  LOOPWRIGHT_GATEWAY_REQUESTS_PER_MINUTE: z.coerce
    .number(says('is not a number', 'Set it to requests, such as 1200'))
    .int(says('is not a whole number', 'Set it to requests, such as 1200'))
    .min(1, says('is under 1', 'Set it to requests, such as 1200'))
    .default(1_200),
  LOOPWRIGHT_OIDC_ISSUER: issuerUrl,
  LOOPWRIGHT_OIDC_AUDIENCE: z.string().optional(),
  LOOPWRIGHT_OIDC_JWKS_URL: issuerUrl,
  LOOPWRIGHT_OIDC_SUBJECT_CLAIM: z.string().default('sub'),
  LOOPWRIGHT_OIDC_TENANT_CLAIM: z.string().optional(),
  LOOPWRIGHT_OIDC_ROLES_CLAIM: z.string().default('roles'),
  LOOPWRIGHT_LOG_LEVEL: z.enum(LOG_LEVELS, says('is not a level', `Set it to one of ${LOG_LEVELS.join(', ')}`)).default('info'),
});
export type Settings = z.infer<typeof environmentSchema>;

/** Whether a text is a list of origins, each as a browser sends it. */
function areOrigins(text: string): boolean {
  return text.split(',').every((origin) => isUrl('http:', 'https:')(origin.trim()) && new URL(origin.trim()).origin === origin.trim());
}
