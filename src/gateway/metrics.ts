import { Counter, Histogram, Registry } from 'prom-client';

/** What this process has seen. Labels come from closed lists: no tenant, person or task is ever one. */
export interface GatewayMetrics {
  registry: Registry;
  request(method: string, route: string, status: number, seconds: number): void;
  /** @param code how it was refused */
  decisionRefused(code: string): void;
  decisionTaken(decision: string, waitedSeconds: number): void;
  streamOpened(kind: 'task' | 'feed' | 'session'): () => void;
}

export function createMetrics(): GatewayMetrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'loopwright_http_request_seconds',
    help: 'HTTP requests by route and status; streams count until their first byte',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const refused = new Counter({ name: 'loopwright_decisions_refused_total', help: 'Decisions that changed nothing, by the reason', labelNames: ['code'], registers });
  const taken = new Histogram({
    name: 'loopwright_decision_wait_seconds',
    help: 'From the opening of an approval to its decision',
    labelNames: ['decision'],
    buckets: [1, 10, 60, 600, 3_600, 6 * 3_600, 86_400],
    registers,
  });
  const opened = new Counter({ name: 'loopwright_streams_opened_total', help: 'Event streams that were opened', labelNames: ['kind'], registers });
  const closed = new Counter({ name: 'loopwright_streams_closed_total', help: 'Event streams that have ended', labelNames: ['kind'], registers });
  return {
    registry,
    request: (method, route, status, seconds) => requests.observe({ method, route, status: String(status) }, seconds),
    decisionRefused: (code) => refused.inc({ code }),
    decisionTaken: (decision, seconds) => taken.observe({ decision }, seconds),
    streamOpened(kind) {
      opened.inc({ kind });
      return () => closed.inc({ kind });
    },
  };
}
