/** What tasks taught. */
import type { Generated } from 'kysely';
import type { Experience } from '../../contracts/experience.ts';
import type { Time, OptionalTime, DefaultTime } from './columns.ts';

/** DESIGN §1: the way of a rule. */
export const RULE_STATUSES = ['candidate', 'in_review', 'preview', 'canary', 'live', 'retired', 'rejected'] as const;

export type RuleStatus = (typeof RULE_STATUSES)[number];

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
  content: string;
  contentHash: string;
  status: Generated<RuleStatus>;
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
