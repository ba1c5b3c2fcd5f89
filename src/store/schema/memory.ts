/** What tasks taught. */
import type { ColumnType, Generated } from 'kysely';
import type { Experience } from '../../contracts/experience.ts';
import type { RuleKind, RuleStatus } from '../../contracts/reasons.ts';
import type { RulePayload } from '../../contracts/learning.ts';
import type { Time, OptionalTime, DefaultTime } from './columns.ts';

export { RULE_STATUSES, type RuleStatus } from '../../contracts/reasons.ts';

export interface ExperienceTable {
  experienceId: string;
  agent: string;
  tenant: string;
  taskId: string;
  attempt: number;
  outcome: Experience['outcome'];
  situation: string;
  stage: string | null;
  errorType: string | null;
  rootCause: string | null;
  fix: string | null;
  evidence: string | null;
  reward: number | null;
  confidence: number;
  verified: Generated<boolean>;
  timesSeen: Generated<number>;
  mergeKey: string;
  terms: string[];
  createdAt: Time;
  lastSeenAt: Time;
  supersededBy: string | null;
  retiredAt: OptionalTime;
  embedding: number[] | null;
  embedder: string | null;
  helped: Generated<number>;
  harmed: Generated<number>;
  signature: string | null;
  situationKey: ColumnType<string, never, never>;
  validTo: OptionalTime;
  contradictedBy: string | null;
  writtenBy: string | null;
}

export interface ExperienceSourceTable {
  sourceId: string;
  experienceId: string;
  taskId: string;
  attempt: number;
  rootCause: string | null;
  evidence: string | null;
  reward: number | null;
  createdAt: Time;
}

export interface RuleTable {
  ruleId: string;
  version: number;
  agent: string;
  tenant: Generated<string>;
  kind: Generated<RuleKind>;
  content: string;
  payload: RulePayload | null;
  contentHash: string;
  status: Generated<RuleStatus>;
  scopeTerms: Generated<string[]>;
  signature: string | null;
  expectedEffect: string | null;
  salt: Generated<string>;
  trafficShare: Generated<number>;
  canaryPairs: Generated<number>;
  forced: Generated<boolean>;
  reviewedBy: string | null;
  experimentId: string | null;
  createdBy: string;
  createdAt: DefaultTime;
}

export interface RuleSourceTable {
  ruleId: string;
  version: number;
  taskId: string;
  attempt: number;
  quote: string;
}

export interface RuleChunkTable {
  ruleId: string;
  version: number;
  chunkId: string;
}
