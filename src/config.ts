/**
 * Every setting, its default and its unit, read from the environment and checked once at start.
 * The Temporal connection (TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_PROFILE, TEMPORAL_API_KEY, TEMPORAL_TLS_*) is read
 * by `dev/connect.ts` through `@temporalio/envconfig`, so that it means what it means to every Temporal tool.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { environmentSchema, type LogLevel, type Settings } from './environment.ts';

export type { LogLevel } from './environment.ts';

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

/** A model that makes vectors of texts, at the same provider. Holds the key: never log it. */
interface EmbeddingConfig {
  model: string;
  /** Asked for in each request; null: the model's own. */
  dimensions: number | null;
  /** Null for servers that need none. */
  apiKey: string | null;
  /** Null: the client's own default. */
  baseUrl: string | null;
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
  /** Absolute folder of downloaded binaries and of workflow bundles, shared by all stacks of this user. */
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
  /** Null: texts are embedded by hashing, without a model. */
  embedding: EmbeddingConfig | null;
  /** Share of the tasks that each live rule is left out of, to see what it is worth, 0..1. */
  leaveOutShare: number;
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
    embedding: embeddingOf(settings),
    leaveOutShare: settings.LOOPWRIGHT_LEAVE_OUT_SHARE,
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
  for (const [variable, value] of Object.entries({ LOOPWRIGHT_MODEL: writer, LOOPWRIGHT_EMBEDDING_MODEL: given['LOOPWRIGHT_EMBEDDING_MODEL'] })) {
    if (value && !given['OPENAI_API_KEY'] && !given['OPENAI_BASE_URL'])
      problems.push({ variable, problem: 'is set, but no provider is', fix: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key' });
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

function embeddingOf(settings: Settings): EmbeddingConfig | null {
  if (!settings.LOOPWRIGHT_EMBEDDING_MODEL) return null;
  return {
    model: settings.LOOPWRIGHT_EMBEDDING_MODEL,
    dimensions: settings.LOOPWRIGHT_EMBEDDING_DIMENSIONS ?? null,
    apiKey: settings.OPENAI_API_KEY ?? null,
    baseUrl: settings.OPENAI_BASE_URL ?? null,
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
