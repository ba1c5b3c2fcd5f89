import { type ConnectionOptions, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Interceptor>;

/** gRPC: CANCELLED */
const CANCELLED = 1;

/**
 * The SDK's own retries of calls to Temporal, which end with their connection: left alone, a retry that was waiting when the connection
 * was closed throws from a timer, where nobody can catch it.
 */
export function createRetries(): { interceptor: Interceptor; stop: () => void } {
  let stopped = false;
  const { retryableDecider, ...more } = defaultGrpcRetryOptions();
  const retrying = makeGrpcRetryInterceptor({ ...more, retryableDecider: (attempt, status) => !stopped && retryableDecider(attempt, status) });
  return {
    interceptor: (options, nextCall) => retrying(options, (next) => (stopped ? cancelledCall() : nextCall(next))),
    stop: () => {
      stopped = true;
    },
  };
}

/** A call that was cancelled before it was made. */
function cancelledCall(): Call {
  const start: Call['start'] = (metadata, listener) => listener?.onReceiveStatus?.({ code: CANCELLED, details: 'the connection was closed', metadata });
  return { start, sendMessage() {}, halfClose() {} } as unknown as Call;
}
