import { cleanJson } from './text.ts';

/** Columns of type text[]; every other array or object is JSON. */
const TEXT_ARRAYS = new Set(['tools', 'terms']);

/** A row as pg takes it: Unix ms of `…At` become `Date`, objects and arrays become JSON text that jsonb can hold. Absent stays absent. */
export function toRow<Values extends object>(values: Values): Values {
  const entries = Object.entries(values).map(([column, value]) => [column, toParameter(column, value)]);
  return Object.fromEntries(entries) as Values;
}

function toParameter(column: string, value: unknown): unknown {
  if (column.endsWith('At') && typeof value === 'number') return new Date(value);
  if (value === null || typeof value !== 'object' || value instanceof Date || TEXT_ARRAYS.has(column)) return value;
  return JSON.stringify(cleanJson(value));
}
