/**
 * Every setting, its default and its unit, read from the environment and checked once at start.
 * The Temporal connection (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_PROFILE, TEMPORAL_API_KEY, TEMPORAL_TLS_*) is read
 * by `dev/connect.ts` through `@temporalio/envconfig`, so that it means what it means to every Temporal tool.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_TASK_QUEUE } from './contracts/names.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** micro-USD per million tokens. */
interface Price {
  inputMicrosPerMillion: number;
  outputMicrosPerMillion: number;
}

/** An OpenAI-compatible provider. Holds the key: never log it, never put it into a snapshot. */
interface ProviderConfig {
  /** Null for servers that need none. */
  apiKey: string | null;
  /** Null: the client's own default. */
  baseUrl: string | null;
  writer: string;
  /** Null: the model judge is off, rules and people decide. */
  judge: string | null;
  /** Null: not configured, so the price list decides. */
  writerPrice: Price | null;
  judgePrice: Price | null;
  /** Tokens of input and output together. */
  contextWindow: number;
  /** Ask for `strict` JSON schemas; off for providers that refuse them. */
  strict: boolean;
  stream: boolean;
}

/** Where the API and the console are served, and who may call. */
export interface GatewayConfig {
  /** Address to bind to. */
  host: string;
  /** Null: the usual one when it is free, else any. */
  port: number | null;
  /** Where people reach it, when that is another address (a proxy in front); without a slash at the end. */
  publicUrl: string | null;
  /** Origins of other pages that may call the API. */
  origins: string[];
  /** Of one caller. */
  requestsPerMinute: number;
  /** Whose bearer tokens count; null: nobody's. */
  oidc: { issuer: string; audience: string; jwksUrl: string | null; subjectClaim: string; tenantClaim: string | null; rolesClaim: string } | null;
}

export interface Config {
  /** Absolute folder of the stack's state: databases, logs, addresses. */
  home: string;
  /** Absolute folder of downloaded binaries, shared by all stacks of this user. */
  cache: string;
  /** Null: the embedded Postgres. */
  databaseUrl: string | null;
  /** Absolute folder of the secret keys that decisions are signed with. */
  keys: string;
  taskQueue: string;
  logLevel: LogLevel;
  gateway: GatewayConfig;
  /** Whether decisions on what is not dangerous count without a signature; null: what the command takes as its default. */
  unsignedDecisions: boolean | null;
  /** Null: no model is configured, so the scripted one answers. */
  provider: ProviderConfig | null;
  /** What a person should be told at start; free of secrets. */
  notices: string[];
}

export interface ConfigProblem {
  variable: string;
  problem: string;
  fix: string;
}

/** Names each environment variable that is wrong and how to put it right; never the value, which may be a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: ConfigProblem[];
  constructor(problems: ConfigProblem[]) {
    super(['The configuration is not usable:', ...problems.map(({ variable, problem, fix }) => `  ${variable} ${problem}. ${fix}.`)].join('\n'));
    this.problems = problems;
  }
}

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

const environmentSchema = z.object({
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
type Settings = z.infer<typeof environmentSchema>;
export type Environment = Record<string, string | undefined>;

/** @throws {ConfigError} naming every variable that is wrong. */
export function loadConfig(environment: Environment = process.env, workingFolder: string = process.cwd()): Config {
  const settings = parseSettings(environment);
  const home = resolve(workingFolder, settings.LOOPWRIGHT_HOME);
  return {
    home,
    cache: resolve(workingFolder, settings.LOOPWRIGHT_CACHE ?? userCacheFolder(environment)),
    databaseUrl: settings.DATABASE_URL ?? null,
    keys: settings.LOOPWRIGHT_KEYS === undefined ? join(home, 'keys') : resolve(workingFolder, settings.LOOPWRIGHT_KEYS),
    taskQueue: settings.LOOPWRIGHT_TASK_QUEUE,
    logLevel: settings.LOOPWRIGHT_LOG_LEVEL,
    gateway: gatewayOf(settings),
    unsignedDecisions: settings.LOOPWRIGHT_UNSIGNED_DECISIONS === undefined ? null : ['true', '1'].includes(settings.LOOPWRIGHT_UNSIGNED_DECISIONS),
    provider: providerOf(settings),
    notices: noticesOf(settings),
  };
}

function parseSettings(environment: Environment): Settings {
  // A variable set to nothing means the same as one not set: shells and compose files write `NAME=` for that.
  const given = Object.fromEntries(Object.keys(environmentSchema.shape).map((name) => [name, environment[name]?.trim() || undefined]));
  const parsed = environmentSchema.safeParse(given);
  const problems: ConfigProblem[] = (parsed.error?.issues ?? []).map((issue) => {
    const [problem = '', fix = ''] = issue.message.split('|');
    return { variable: String(issue.path[0]), problem, fix };
  });
  problems.push(...combinationProblems(given));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return parsed.data;
}

function combinationProblems(given: Environment): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const { LOOPWRIGHT_MODEL: writer, LOOPWRIGHT_JUDGE_MODEL: judge } = given;
  if (writer && !given['OPENAI_API_KEY'] && !given['OPENAI_BASE_URL']) {
    problems.push({ variable: 'LOOPWRIGHT_MODEL', problem: 'is set, but no provider is', fix: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key' });
  }
  if (judge && !writer)
    problems.push({ variable: 'LOOPWRIGHT_JUDGE_MODEL', problem: 'is set without LOOPWRIGHT_MODEL', fix: 'Set LOOPWRIGHT_MODEL too, or unset both to use the scripted model' });
  if (judge && judge === writer)
    problems.push({
      variable: 'LOOPWRIGHT_JUDGE_MODEL',
      problem: 'is the same as LOOPWRIGHT_MODEL',
      fix: 'A model must not judge its own answers: set another one, or unset it to let rules and people decide',
    });
  const { LOOPWRIGHT_OIDC_ISSUER: issuer, LOOPWRIGHT_OIDC_AUDIENCE: audience } = given;
  if (issuer && !audience)
    problems.push({
      variable: 'LOOPWRIGHT_OIDC_AUDIENCE',
      problem: 'is not set, but LOOPWRIGHT_OIDC_ISSUER is',
      fix: "Set it to the audience that this gateway's tokens are made for: those for others must not count here",
    });
  for (const prefix of ['LOOPWRIGHT_PRICE', 'LOOPWRIGHT_JUDGE_PRICE']) {
    const [set, missing] = given[`${prefix}_INPUT`] ? [`${prefix}_INPUT`, `${prefix}_OUTPUT`] : [`${prefix}_OUTPUT`, `${prefix}_INPUT`];
    if (given[set] && !given[missing]) problems.push({ variable: missing, problem: `is not set, but ${set} is`, fix: 'Set both prices, or neither' });
  }
  return problems;
}

/** Whether a text is a list of origins, each as a browser sends it. */
function areOrigins(text: string): boolean {
  return text.split(',').every((origin) => isUrl('http:', 'https:')(origin.trim()) && new URL(origin.trim()).origin === origin.trim());
}

function gatewayOf(settings: Settings): GatewayConfig {
  const { LOOPWRIGHT_OIDC_ISSUER: issuer, LOOPWRIGHT_OIDC_AUDIENCE: audience } = settings;
  return {
    host: settings.LOOPWRIGHT_GATEWAY_HOST,
    port: settings.LOOPWRIGHT_GATEWAY_PORT ?? null,
    publicUrl: settings.LOOPWRIGHT_GATEWAY_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    origins: settings.LOOPWRIGHT_GATEWAY_ORIGINS?.split(',').map((origin) => origin.trim()) ?? [],
    requestsPerMinute: settings.LOOPWRIGHT_GATEWAY_REQUESTS_PER_MINUTE,
    oidc:
      issuer && audience
        ? {
            issuer,
            audience,
            jwksUrl: settings.LOOPWRIGHT_OIDC_JWKS_URL ?? null,
            subjectClaim: settings.LOOPWRIGHT_OIDC_SUBJECT_CLAIM,
            tenantClaim: settings.LOOPWRIGHT_OIDC_TENANT_CLAIM ?? null,
            rolesClaim: settings.LOOPWRIGHT_OIDC_ROLES_CLAIM,
          }
        : null,
  };
}

function providerOf(settings: Settings): ProviderConfig | null {
  if (!settings.LOOPWRIGHT_MODEL) return null;
  return {
    apiKey: settings.OPENAI_API_KEY ?? null,
    baseUrl: settings.OPENAI_BASE_URL ?? null,
    writer: settings.LOOPWRIGHT_MODEL,
    judge: settings.LOOPWRIGHT_JUDGE_MODEL ?? null,
    writerPrice: priceOf(settings.LOOPWRIGHT_PRICE_INPUT, settings.LOOPWRIGHT_PRICE_OUTPUT),
    judgePrice: priceOf(settings.LOOPWRIGHT_JUDGE_PRICE_INPUT, settings.LOOPWRIGHT_JUDGE_PRICE_OUTPUT),
    contextWindow: settings.LOOPWRIGHT_CONTEXT_WINDOW,
    strict: settings.LOOPWRIGHT_MODEL_STRICT,
    stream: settings.LOOPWRIGHT_MODEL_STREAM,
  };
}

function priceOf(input: number | undefined, output: number | undefined): Price | null {
  return input === undefined || output === undefined ? null : { inputMicrosPerMillion: input, outputMicrosPerMillion: output };
}

function noticesOf(settings: Settings): string[] {
  if (!settings.LOOPWRIGHT_MODEL) {
    const set = (['OPENAI_API_KEY', 'OPENAI_BASE_URL'] as const).filter((name) => settings[name]);
    return [
      'The model is scripted: its answers come from a program, not from a language model.' +
        (set.length > 0 ? ` ${set.join(' and ')} is set, but LOOPWRIGHT_MODEL is not: set it to use a real one.` : ''),
    ];
  }
  return settings.LOOPWRIGHT_JUDGE_MODEL ? [] : ['The model judge is off, because LOOPWRIGHT_JUDGE_MODEL is not set: rules and people decide.'];
}

/** Where this platform keeps a user's caches. */
function userCacheFolder(environment: Environment): string {
  if (environment['XDG_CACHE_HOME']) return join(environment['XDG_CACHE_HOME'], 'loopwright');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'loopwright');
  if (process.platform === 'win32') return join(environment['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'loopwright', 'Cache');
  return join(homedir(), '.cache', 'loopwright');
}
