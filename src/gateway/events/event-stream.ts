import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import type { GatewayContext } from '../environment.ts';

/** Between two signs of life, ms: proxies close what is silent, and a browser that is gone is found out. */
const HEARTBEAT_MS = 15_000;
/** Then a stream ends, and whoever reads it connects again and resumes: credentials that were revoked meanwhile open it no more, ms. */
const LONGEST_MS = 15 * 60_000;

/**
 * Answers with server-sent events until `write` returns, the client goes, or its time is over.
 * @param write given a signal that aborts when the client has gone; each write waits until the client can take it
 */
export function eventStream(
  context: GatewayContext,
  write: (stream: SSEStreamingApi, signal: AbortSignal) => Promise<void>,
  { onEnd, heartbeatMs = HEARTBEAT_MS }: { onEnd: () => void; heartbeatMs?: number },
): Response {
  // proxies must neither hold it back nor pack it
  context.header('X-Accel-Buffering', 'no');
  if (context.req.method === 'HEAD') {
    // nobody would read it, nor tell that it has gone
    onEnd();
    return context.body(null, 200, { 'content-type': 'text/event-stream' });
  }
  return streamSSE(context, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const longest = setTimeout(() => gone.abort(), LONGEST_MS);
    const heartbeat = setInterval(() => void stream.write(': alive\n\n'), heartbeatMs);
    try {
      // the first bytes say that it is open
      await stream.write(': open\n\n');
      await write(stream, gone.signal);
    } catch (error) {
      // the status has been sent: the reader connects again, and is told then
      if (!gone.signal.aborted) throw error;
    } finally {
      clearInterval(heartbeat);
      clearTimeout(longest);
      onEnd();
    }
  });
}
