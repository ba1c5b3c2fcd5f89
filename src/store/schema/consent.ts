import type { OptionalTime, Time } from './columns.ts';

/** What may be done with a tenant's data. */
export interface ConsentTable {
  tenant: string;
  purpose: string;
  grantedBy: string;
  grantedAt: Time;
  revokedBy: string | null;
  revokedAt: OptionalTime;
}
