import type { BusinessOutcomeView } from '../../contracts/api/business-outcome.ts';
import type { BusinessOutcomeRow } from '../../store/business-outcomes.ts';
import { rfc3339 } from './time.ts';

export function businessOutcomeView({ outcomeId, kind, value, observedAt, source, by, recordedAt }: BusinessOutcomeRow): BusinessOutcomeView {
  return { outcomeId, kind, value, observedAt: rfc3339(observedAt), source, by, recordedAt: rfc3339(recordedAt) };
}
