import { createHash } from 'node:crypto';

/** Equal for the same issue in two attempts, however its message is worded: agent + evaluator + type + subject, the subject without case and spacing. 16 hex digits. */
export function fingerprintOf(agent: string, evaluator: string, type: string, subject: string): string {
  const plain = subject.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256')
    .update(JSON.stringify([agent, evaluator, type, plain]))
    .digest('hex')
    .slice(0, 16);
}
