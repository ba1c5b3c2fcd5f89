import { RuleMoveRefused } from '../../store/rules.ts';
import { UsageError } from '../errors.ts';

const OPTIONS: Partial<Record<NonNullable<RuleMoveRefused['field']>, string>> = {
  reason: '--reason',
  actor: '--by',
  experimentId: '--experiment',
  share: '--share',
  pairs: '--pairs',
  content: 'the words',
};

/** What was refused, with the option that mends it. */
export async function naming<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    if (error instanceof TypeError && error.message.startsWith('"')) throw new UsageError(error.message);
    if (!(error instanceof RuleMoveRefused)) throw error;
    const option = error.field === null ? undefined : OPTIONS[error.field];
    throw new Error(`${option === undefined ? '' : `${option}: `}${error.message} (${error.code})`);
  });
}
