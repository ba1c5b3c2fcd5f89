import { randomUUID } from 'node:crypto';
import type { Experience } from '../../src/contracts/experience.ts';
import { experienceId } from '../../src/memory/experience.ts';
import { termsOf } from '../../src/memory/terms.ts';

/** A failure of an agent named `probe`; a test says what is special about it. Found by its situation, error type and root cause. */
export function experience(change: Partial<Experience> = {}): Experience & { terms: string[] } {
  const { taskId = `task-${randomUUID()}`, attempt = 1, outcome = 'failure' } = change;
  const whole: Experience = {
    experienceId: experienceId(taskId, attempt, outcome),
    agent: 'probe',
    tenant: 'default',
    taskId,
    attempt,
    outcome,
    situation: 'sum the numbers of a list',
    stage: null,
    errorType: null,
    rootCause: null,
    fix: null,
    evidence: null,
    reward: null,
    confidence: 0.5,
    verified: false,
    createdAt: 1_700_000_000_000,
    ...change,
  };
  return { ...whole, terms: termsOf([whole.errorType, whole.situation, whole.rootCause].join(' ')) };
}
