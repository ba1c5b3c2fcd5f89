import type { FeedbackView } from '../../contracts/api/tasks.ts';
import type { FeedbackRow } from '../../store/feedback.ts';
import { rfc3339 } from './time.ts';

export function feedbackView({ feedbackId, kind, source, value, text, attempt, by, at }: FeedbackRow): FeedbackView {
  return { feedbackId, kind, source, value, text, attempt, by, at: rfc3339(at) };
}
