/** Versions of prompts and tools. */
import type { RuleKind } from '../../contracts/reasons.ts';
import type { DefaultTime, Time } from './columns.ts';
import type { Generated } from 'kysely';

export const PROMPT_LABELS = ['live', 'preview'] as const;
export type PromptLabel = (typeof PROMPT_LABELS)[number];

type ToolVersionStatus = 'live' | 'preview' | 'retired';

/** A rule as a prompt version names it. */
export interface PromptRule {
  ruleId: string;
  version: number;
  kind: RuleKind;
}

export interface PromptVersionTable {
  agent: string;
  tenant: string;
  version: number;
  contentHash: string;
  instructionsHash: string | null;
  rules: PromptRule[];
  parent: number | null;
  createdBy: string;
  reason: string;
  createdAt: DefaultTime;
}

export interface PromptLabelTable {
  agent: string;
  tenant: string;
  label: PromptLabel;
  version: number;
  movedBy: string;
  movedAt: DefaultTime;
}

export interface ToolVersionTable {
  agent: string;
  tool: string;
  version: string;
  releasedAt: string;
  description: string;
  trafficShare: number;
  status: ToolVersionStatus;
  salt: Generated<string>;
  changedBy: string;
  reason: string;
  changedAt: Time;
}
