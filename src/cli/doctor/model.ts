import type { Config } from '../../config.ts';
import { type Check, failed, looked, ok, warning } from './check.ts';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const ANSWER_MS = 10_000;

/** Asks for the list of models, which costs nothing. */
export function modelCheck({ provider }: Pick<Config, 'provider'>): Promise<Check[]> {
  if (!provider)
    return Promise.resolve([
      warning('model', 'scripted: a program answers, not a language model', 'Set LOOPWRIGHT_MODEL and OPENAI_API_KEY (or OPENAI_BASE_URL) to use a real one.'),
    ]);
  const { apiKey, writer, judge } = provider;
  const url = `${(provider.baseUrl ?? DEFAULT_BASE_URL).replace(/\/$/, '')}/models`;
  return looked('model', 'Set OPENAI_BASE_URL to a server that answers, and see that this machine reaches it.', async () => {
    const response = await fetch(url, { headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }, signal: AbortSignal.timeout(ANSWER_MS) });
    if (response.status === 401 || response.status === 403)
      return failed('model', `${url} refuses the key (${response.status})`, 'Set OPENAI_API_KEY to a key that is valid there.');
    // some servers have no list
    if (!response.ok)
      return warning('model', `${url} answers ${response.status}: whether ${writer} is there can't be seen`, 'Run a task to see: npm run demo -- --case status-question');
    const { data } = (await response.json().catch(() => ({}))) as { data?: { id?: string }[] };
    const missing = [writer, judge].filter((name) => name !== null && data && !data.some(({ id }) => id === name));
    if (missing.length > 0) return failed('model', `${url} does not list ${missing.join(' or ')}`, 'Set LOOPWRIGHT_MODEL and LOOPWRIGHT_JUDGE_MODEL to models that it lists.');
    if (judge === null) return warning('model', `${writer} answers; no judge`, 'Set LOOPWRIGHT_JUDGE_MODEL to another model, so that drafts are judged.');
    return ok('model', `${writer}, judge ${judge}`);
  });
}
