import type { Experience } from '../contracts/experience.ts';
import type { Row } from './schema.ts';

/** What everybody may know of a row. */
export function toExperience(row: Pick<Row<'experience'>, keyof Experience>): Experience {
  const { experienceId, agent, tenant, taskId, attempt, outcome, situation, stage, errorType, rootCause, fix, evidence, reward, confidence, verified, createdAt } = row;
  return {
    experienceId,
    agent,
    tenant,
    taskId,
    attempt,
    outcome,
    situation,
    stage,
    errorType,
    rootCause,
    fix,
    evidence,
    reward,
    confidence,
    verified,
    createdAt: createdAt.getTime(),
  };
}
