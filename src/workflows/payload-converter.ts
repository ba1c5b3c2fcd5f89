import { defaultPayloadConverter, type Payload, type PayloadConverter } from '@temporalio/workflow';

/** A message's payload that is no JSON, or in an encoding that nobody here knows. */
export interface Undecodable {
  undecodable: string;
}

type Context = Parameters<PayloadConverter['fromPayload']>[1];

const marked = new WeakSet<object>();

export function isUndecodable(value: unknown): value is Undecodable {
  return typeof value === 'object' && value !== null && marked.has(value);
}

/**
 * Anybody may send a signal, and its bytes are decoded before any handler runs: an error there would fail every workflow task of the task for
 * ever. So what can't be decoded is given to the handler, which refuses it. Results of activities are our own: there an error is a fault.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value, context) => defaultPayloadConverter.toPayload(value, context),
  fromPayload: <T>(payload: Payload, context?: Context): T => {
    try {
      return defaultPayloadConverter.fromPayload<T>(payload, context);
    } catch (error) {
      if (context?.type === 'activity') throw error;
      const value: Undecodable = { undecodable: error instanceof Error ? error.message : 'unknown' };
      marked.add(value);
      return value as T;
    }
  },
};
