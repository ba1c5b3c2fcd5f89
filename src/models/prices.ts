import type { ModelRoute } from '../contracts/snapshot.ts';

/** micro-USD per million tokens; the context window in tokens. `known` is false for a model that is not in the list. */
export interface ModelPrice {
  inputMicrosPerMillion: number;
  outputMicrosPerMillion: number;
  contextWindow: number;
  known: boolean;
}

/** For models that are not in the list. */
const DEFAULT_CONTEXT_WINDOW = 128_000;

/** USD per million tokens of input and output, context window. */
type Row = readonly [input: number, output: number, contextWindow: number];

/**
 * List prices without discounts for cached or batched input, as OpenAI's public price list had them at the end of 2025.
 * Prices change: `LOOPWRIGHT_PRICE_INPUT` and `LOOPWRIGHT_PRICE_OUTPUT` override them.
 * The scripted models cost nothing; they carry a small model's price so that budgets and reports have something to count.
 */
const PRICES: Record<string, Row> = {
  'gpt-5.1': [1.25, 10, 400_000],
  'gpt-5': [1.25, 10, 400_000],
  'gpt-5-mini': [0.25, 2, 400_000],
  'gpt-5-nano': [0.05, 0.4, 400_000],
  'gpt-4.1': [2, 8, 1_047_576],
  'gpt-4.1-mini': [0.4, 1.6, 1_047_576],
  'gpt-4.1-nano': [0.1, 0.4, 1_047_576],
  'gpt-4o': [2.5, 10, 128_000],
  'gpt-4o-mini': [0.15, 0.6, 128_000],
  o3: [2, 8, 200_000],
  'o4-mini': [1.1, 4.4, 200_000],
  'scripted-writer': [0.15, 0.6, 128_000],
  'scripted-judge': [0.15, 0.6, 128_000],
};

/** A dated name ("gpt-4o-2024-08-06") costs what its model does; a provider's prefix ("openai/gpt-4o") is not part of it. */
export function priceOf(model: string): ModelPrice {
  const name = model
    .split('/')
    .at(-1)!
    .replace(/-\d{4}-\d{2}-\d{2}$/, '');
  const row = Object.hasOwn(PRICES, name) ? PRICES[name] : undefined;
  if (!row) return { inputMicrosPerMillion: 0, outputMicrosPerMillion: 0, contextWindow: DEFAULT_CONTEXT_WINDOW, known: false };
  const [input, output, contextWindow] = row;
  return { inputMicrosPerMillion: Math.round(input * 1e6), outputMicrosPerMillion: Math.round(output * 1e6), contextWindow, known: true };
}

/** What a call cost on a route, micro-USD, rounded up: a budget must not be crept past by fractions. */
export function costMicros(route: Pick<ModelRoute, 'inputMicrosPerMillion' | 'outputMicrosPerMillion'>, usage: { inputTokens: number; outputTokens: number }): number {
  const exact = (usage.inputTokens * route.inputMicrosPerMillion + usage.outputTokens * route.outputMicrosPerMillion) / 1e6;
  if (!Number.isFinite(exact) || exact < 0) throw new RangeError(`tokens must be counts from 0, not ${usage.inputTokens} and ${usage.outputTokens}`);
  return Math.ceil(exact);
}
