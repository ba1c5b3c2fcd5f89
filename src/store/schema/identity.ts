/** Keys, sign-in links and browser sessions. */
import type { ColumnType } from 'kysely';
import type { DefaultTime, OptionalTime, Time } from './columns.ts';

/** jsonb of a list of text: goes in through `toRow`. */
type TextList = ColumnType<string[], string[], string[]>;

export interface SigningKeyTable {
  keyId: string;
  publicKey: string;
  subject: string | null;
  roles: ColumnType<string[] | null, string[] | null, string[] | null>;
  createdAt: DefaultTime;
  retiredAt: OptionalTime;
  revokedAt: OptionalTime;
}

export interface ApiKeyTable {
  keyId: string;
  secretHash: string;
  label: string;
  tenant: string;
  subject: string;
  roles: TextList;
  createdBy: string;
  createdAt: Time;
  expiresAt: OptionalTime;
  revokedAt: OptionalTime;
  lastUsedAt: OptionalTime;
}

export interface SignInLinkTable {
  tokenHash: string;
  subject: string;
  tenant: string;
  roles: TextList;
  createdAt: Time;
  expiresAt: Time;
  usedAt: OptionalTime;
}

export interface BrowserSessionTable {
  sessionHash: string;
  subject: string;
  tenant: string;
  roles: TextList;
  createdAt: Time;
  expiresAt: Time;
  endsAt: Time;
  revokedAt: OptionalTime;
}
