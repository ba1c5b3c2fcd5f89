import type { Kysely } from 'kysely';
import { addColumns } from './add-columns.ts';

const TERMS: [definition: string, comment: string][] = [
  ['prompt_version text', "Version of the judge's prompt: sha256 of its instructions, hex; null: no model was asked"],
  ['temperature double precision', 'Sampling temperature of the judge; null: no model was asked'],
];

/** What a model's score rests on is kept with it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await addColumns(database, 'verdict', TERMS);
  await addColumns(database, 'judge_repeat', [['model text', 'Judge model'], ...TERMS]);
}
