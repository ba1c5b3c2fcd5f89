import type { ModelRoute } from '../contracts/snapshot.ts';
import type { ModelConnection } from './connections.ts';
import { priceOf } from './prices.ts';

/** Plain settings; empty strings count as unset. */
export interface RouteSettings {
  apiKey?: string | null;
  /** OpenAI's own when unset. */
  baseURL?: string | null;
  /** The writer's model. Unset: the scripted models are used. */
  model?: string | null;
  /** Must differ from the writer's. Unset: the judge is off. */
  judgeModel?: string | null;
  /** Base URL of the scripted server, with `/v1`. */
  scriptedURL?: string | null;
  /** micro-USD per million tokens, instead of the price list's. */
  price?: Price | null;
  judgePrice?: Price | null;
  /** Tokens; instead of the price list's. */
  contextWindow?: number | null;
  /** Default true. */
  strict?: boolean;
  /** Default true. */
  stream?: boolean;
  structuredOutput?: ModelConnection['structuredOutput'];
  outputLimitField?: ModelConnection['outputLimitField'];
}
interface Price {
  inputMicrosPerMillion: number;
  outputMicrosPerMillion: number;
}

export interface Routes {
  source: 'configured' | 'scripted';
  writer: ModelRoute;
  /** Null: no second model, so rules and people decide. */
  judge: ModelRoute | null;
  /** By route name, for `createModelClient`. */
  connections: Record<string, ModelConnection>;
  /** What a person should be told; without secrets. */
  notices: string[];
}

const OPENAI_URL = 'https://api.openai.com/v1';
export const SCRIPTED_WRITER = 'scripted-writer';
export const SCRIPTED_JUDGE = 'scripted-judge';

/** The settings can't be used as they are; the message says which and what to set. */
class RouteError extends Error {
  override readonly name = 'RouteError';
}

/**
 * Which models a task uses: the configured ones, else the scripted server.
 * @throws {RouteError} when the judge would be the writer, a model is named without a way to reach it, or there is no scripted server
 */
export function resolveRoutes(settings: RouteSettings): Routes {
  const [apiKey, baseURL, model, judgeModel] = [settings.apiKey, settings.baseURL, settings.model, settings.judgeModel].map((value) => value?.trim() || null);
  if (!model) return scriptedRoutes(settings, Boolean(apiKey ?? baseURL ?? judgeModel));
  if (!apiKey && !baseURL)
    throw new RouteError(`the model ${model} is set, but neither OPENAI_API_KEY nor OPENAI_BASE_URL: set one of them, or unset LOOPWRIGHT_MODEL to use the scripted model`);
  if (judgeModel && sameModel(judgeModel, model))
    throw new RouteError(`the judge must be another model than the writer (both are ${model}): set LOOPWRIGHT_JUDGE_MODEL to another one, or unset it to switch the judge off`);
  const connection: ModelConnection = {
    baseURL: baseURL ?? OPENAI_URL,
    // Servers of one's own often need no key, but the client always sends one.
    apiKey: () => apiKey ?? 'none',
    strict: settings.strict ?? true,
    stream: settings.stream ?? true,
    structuredOutput: settings.structuredOutput,
    outputLimitField: settings.outputLimitField,
  };
  const routes: { name: string; model: string; price: Price | null | undefined }[] = [{ name: 'writer', model, price: settings.price }];
  if (judgeModel) routes.push({ name: 'judge', model: judgeModel, price: settings.judgePrice });
  const [writer, judge] = routes.map((route) => modelRoute(route.name, route.model, route.price ?? null, settings.contextWindow ?? null));
  return {
    source: 'configured',
    writer: writer!,
    judge: judge ?? null,
    connections: Object.fromEntries(routes.map(({ name }) => [name, connection])),
    notices: [
      ...routes
        .filter((route) => !route.price && !priceOf(route.model).known)
        .map((route) => `the price of ${route.model} is not known and counted as 0: set LOOPWRIGHT_PRICE_INPUT and LOOPWRIGHT_PRICE_OUTPUT`),
      ...(judge ? [] : ['no second model is set (LOOPWRIGHT_JUDGE_MODEL): the model judge is off, rules and people decide']),
    ],
  };
}

function scriptedRoutes(settings: RouteSettings, partlyConfigured: boolean): Routes {
  const url = settings.scriptedURL?.trim();
  if (!url) throw new RouteError('no model: set OPENAI_API_KEY or OPENAI_BASE_URL and LOOPWRIGHT_MODEL (there is no scripted server here)');
  const connection: ModelConnection = { baseURL: url, apiKey: () => 'scripted', strict: true, stream: settings.stream ?? true };
  return {
    source: 'scripted',
    writer: modelRoute('writer', SCRIPTED_WRITER, null, null),
    judge: modelRoute('judge', SCRIPTED_JUDGE, null, null),
    connections: { writer: connection, judge: connection },
    notices: [partlyConfigured ? 'LOOPWRIGHT_MODEL is not set, so the model is scripted although a provider is configured' : 'the model is scripted'],
  };
}

function modelRoute(route: string, model: string, price: Price | null, contextWindow: number | null): ModelRoute {
  const known = priceOf(model);
  return {
    route,
    model,
    inputMicrosPerMillion: price?.inputMicrosPerMillion ?? known.inputMicrosPerMillion,
    outputMicrosPerMillion: price?.outputMicrosPerMillion ?? known.outputMicrosPerMillion,
    contextWindow: contextWindow ?? known.contextWindow,
  };
}

function sameModel(one: string, other: string): boolean {
  return undated(one) === undated(other);
}

/** Names differ in case, and a dated name is the same model. */
function undated(model: string): string {
  return model.toLowerCase().replace(/-\d{4}-\d{2}-\d{2}$/, '');
}
