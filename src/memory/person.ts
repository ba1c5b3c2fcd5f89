import type { Experience } from '../contracts/experience.ts';
import { EDITED_BY_PERSON, idOf } from './experience.ts';

/** What a person wrote instead of an output, or said that it should have been. */
export interface PersonsWords {
  agent: string;
  tenant: string;
  taskId: string;
  attempt: number;
  /** Names the approval or the feedback in the task: written again, it is the same experience. */
  source: string;
  situation: string;
  /** The output before; null: there was none. */
  wrong: string | null;
  right: string;
  by: string;
  /** Authenticated as somebody whose word counts. */
  verified: boolean;
  /** Unix ms */
  at: number;
}

/** An experience that a person wrote: recalled for a similar task, as wrong → right. */
export function experienceOfPerson({ agent, tenant, taskId, attempt, source, situation, wrong, right, by, verified, at }: PersonsWords): Experience & { writtenBy: string } {
  return {
    experienceId: idOf([taskId, source, EDITED_BY_PERSON]),
    agent,
    tenant,
    taskId,
    attempt,
    outcome: 'success',
    situation,
    stage: null,
    errorType: EDITED_BY_PERSON,
    rootCause: null,
    fix: right,
    evidence: wrong,
    reward: null,
    confidence: verified ? 1 : 0.5,
    verified,
    createdAt: at,
    writtenBy: by,
  };
}

/** Roles whose holders' word about an output counts, once they are authenticated. */
export const WHOSE_WORD_COUNTS: readonly string[] = ['approver', 'reviewer', 'admin'];
