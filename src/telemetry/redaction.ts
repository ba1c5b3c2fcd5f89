/** Takes secrets out of anything that is about to be logged or shown. */
import { encodedForms } from './encoded-forms.ts';

const REDACTED = '[redacted]';
const MAX_DEPTH = 12;

/** Field names whose value is a secret, whatever it looks like. Token *counts* (`inputTokens`, `tokens`) are not. */
const SECRET_FIELD =
  /^(authorization|proxy-?authorization|cookie|set-?cookie|password|passwd|secret|client_?secret|api_?key|x-?api-?key|openai_?api_?key|access_?token|refresh_?token|id_?token|bearer|private_?key|token)$/i;

/** None may reach over a quote or a backslash: they are used on whole JSON lines too, which must stay JSON. */
const PATTERNS: [RegExp, string][] = [
  // user:password@host in any URL
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@"'\\]*):[^\s@/"'\\]+@/gi, `$1:${REDACTED}@`],
  [/\b(bearer|basic)\s+[a-z0-9._~+/=-]{8,}/gi, `$1 ${REDACTED}`],
  // keys of OpenAI-like providers
  [/\b(sk|pk|rk|xai|gsk)-[a-z0-9_-]{12,}/gi, REDACTED],
  // JSON web tokens
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
  [/((?:api[_-]?key|password|secret|access[_-]?token)["']?\s*[=:]\s*["']?)[^\s"'\\,;&}[]{4,}/gi, `$1${REDACTED}`],
];

/** @param known secrets to take out wherever they stand, besides what looks like one; those under 6 characters are ignored. Their base64, hex and URL forms go too. */
export function createRedactor(known: readonly (string | null | undefined)[] = []): { text(value: string): string; value(value: unknown): unknown } {
  const secrets = known.filter((secret): secret is string => typeof secret === 'string' && secret.length >= 6).flatMap(encodedForms);

  const text = (value: string): string => {
    let clean = value;
    for (const secret of secrets) clean = clean.replaceAll(secret, REDACTED);
    for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
    return clean;
  };

  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > MAX_DEPTH) return '[too deep]';
    if (Array.isArray(value)) return value.map((item) => walk(item, depth + 1));
    if (value instanceof Error) return walkError(value, depth);
    if (value instanceof Date || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, SECRET_FIELD.test(name) && field !== null && field !== undefined ? REDACTED : walk(field, depth + 1)]),
    );
  };

  const walkError = (error: Error, depth: number): unknown => ({
    type: error.name,
    message: text(error.message),
    stack: error.stack && text(error.stack),
    ...(walk({ ...error }, depth + 1) as object),
    ...(error.cause === undefined ? {} : { cause: walk(error.cause, depth + 1) }),
  });

  return { text, value: (value) => walk(value, 0) };
}
