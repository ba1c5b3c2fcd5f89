import type { Kysely } from 'kysely';
import { createTable, type TableDefinition } from './create-table.ts';

const tables: TableDefinition[] = [
  {
    name: 'signing_key',
    comment: 'Public halves of the keys that decisions are signed with. The secret halves are in files of whoever signs.',
    columns: [
      ['key_id text primary key', 'Names the key in every decision token'],
      ['public_key text not null', 'Ed25519, hex of 32 bytes'],
      ['subject text', "The only person this key speaks for; null: a gateway's, which vouches for everybody it has authenticated"],
      ['roles jsonb', 'The most that this key may claim; null: any role'],
      ['created_at timestamptz not null default now()', 'When it was registered'],
      ['retired_at timestamptz', 'Since when a newer key signs instead; its signatures still count'],
      ['revoked_at timestamptz', 'Since when its signatures count for nothing'],
    ],
  },
  {
    name: 'api_key',
    comment: 'Keys of services and scripts. Only a hash of the secret is kept.',
    columns: [
      ['key_id text primary key', 'The part of the key that is no secret: lw_<key_id>_<secret>'],
      ['secret_hash text not null', 'sha256, hex, of the secret'],
      ['label text not null', "What it is for, in its maker's words"],
      ['tenant text not null', 'Whose data it reaches'],
      ['subject text not null', 'On whose behalf it acts'],
      ['roles jsonb not null', 'What it may do'],
      ['created_by text not null', 'Who made it'],
      ['created_at timestamptz not null', 'When it was made'],
      ['expires_at timestamptz', 'From when it counts for nothing; null: never'],
      ['revoked_at timestamptz', 'Since when it counts for nothing; null: not revoked'],
      ['last_used_at timestamptz', 'When it was last used, to the minute; null: never'],
    ],
    indexes: ['tenant, created_at'],
  },
  {
    name: 'sign_in_link',
    comment: 'One-time links that open a browser session.',
    columns: [
      ['token_hash text primary key', "sha256, hex, of the link's token"],
      ['subject text not null', 'Whom it signs in'],
      ['tenant text not null', 'Whose data the session reaches'],
      ['roles jsonb not null', 'What the session may do'],
      ['created_at timestamptz not null', 'When it was made'],
      ['expires_at timestamptz not null', 'Until when it can be used'],
      ['used_at timestamptz', 'When it was used; null: not yet'],
    ],
    indexes: ['expires_at'],
  },
  {
    name: 'browser_session',
    comment: 'Signed-in browsers. Only a hash of the cookie is kept.',
    columns: [
      ['session_hash text primary key', "sha256, hex, of the cookie's secret"],
      ['subject text not null', 'Who is signed in'],
      ['tenant text not null', 'Whose data it reaches'],
      ['roles jsonb not null', 'What it may do'],
      ['created_at timestamptz not null', 'When it began'],
      ['expires_at timestamptz not null', 'When it ends unless it is used before'],
      ['ends_at timestamptz not null', 'When it ends however much it is used'],
      ['revoked_at timestamptz', 'When it was ended; null: not'],
    ],
    indexes: ['tenant, subject', 'expires_at'],
  },
];

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const table of tables) await createTable(database, table);
}
