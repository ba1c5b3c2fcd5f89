import type { z } from 'zod';
import type { EvaluationContext, Evaluator } from '../define-evaluator.ts';
import { shareOf, snippet, textRule, type RuleFinding, type RuleOptions } from './text-rule.ts';

/** The whole text is one JSON value; a Markdown fence around it is allowed. */
export function jsonText(options: RuleOptions & { /** What the value must be. */ schema?: z.ZodType } = {}): Evaluator {
  return textRule('json_text', options, (text) => {
    const bare = text
      .trim()
      .replace(/^```(?:json|Json|JSON)?/, '')
      .replace(/```$/, '')
      .trim();
    let value: unknown;
    try {
      value = JSON.parse(bare);
    } catch (error) {
      const evidence = `not JSON: ${(error as Error).message}`;
      return {
        issues: [
          {
            type: 'invalid_json',
            severity: 'high',
            message: 'The whole text must be one JSON value.',
            evidence: snippet(evidence, 200),
            fix: 'Write JSON and nothing else: no sentence before or after it.',
          },
        ],
        evidence,
      };
    }
    return options.schema ? checkSchema(value, options.schema) : { issues: [], evidence: `one JSON value of ${bare.length} characters` };
  });
}

/** The output, or what `value` picks from it, fits a schema. */
export function fitsSchema(options: RuleOptions & { schema: z.ZodType; value?: (context: EvaluationContext) => unknown }): Evaluator {
  return textRule('fits_schema', options, (_text, context) => checkSchema(options.value ? options.value(context) : context.output, options.schema));
}

function checkSchema(value: unknown, schema: z.ZodType): RuleFinding {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { issues: [], evidence: 'it fits the schema' };
  const places = parsed.error.issues.slice(0, 10).map((issue) => ({ path: issue.path.map(String).join('.') || '(all of it)', message: issue.message }));
  return {
    issues: places.map(({ path, message }) => ({ type: 'schema', severity: 'high' as const, subject: path, message: `${path}: ${message}`, fix: `Correct ${path}.` })),
    evidence: `${parsed.error.issues.length} places break the schema: ${places.map(({ path }) => path).join(', ')}`,
  };
}

/** Fields of the output (dotted paths) are there and not empty. */
export function requiredFields(options: RuleOptions & { fields: string[] }): Evaluator {
  return textRule('required_fields', options, (_text, context) => {
    const missing = options.fields.filter((path) => isBlank(fieldAt(context.output, path)));
    const found = options.fields.filter((path) => !missing.includes(path));
    return {
      issues: missing.map((path) => ({ type: 'missing_field', severity: 'high' as const, subject: path, message: `${path} is missing or empty.`, fix: `Fill in ${path}.` })),
      evidence: `${found.length} of ${options.fields.length} fields filled${missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''}`,
      score: shareOf(found.length, options.fields.length),
      keep: found.map((path) => `the field ${path}`),
    };
  });
}

/** The value at a dotted path of own properties, or undefined. */
export function fieldAt(value: unknown, path: string): unknown {
  let here = value;
  for (const key of path.split('.')) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return here;
}

function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value.trim() === '';
  return Array.isArray(value) && value.length === 0;
}
