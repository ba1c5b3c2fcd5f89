/** What the gate reserved and found. */
import type { OptionalTime, Time } from './columns.ts';

export interface GateLedgerTable {
  tenant: string;
  agent: string;
  seq: number;
  experimentId: string;
  ruleId: string;
  ruleVersion: number;
  alone: boolean;
  level: number;
  p: number | null;
  promoted: boolean;
  at: Time;
  settledAt: OptionalTime;
}
