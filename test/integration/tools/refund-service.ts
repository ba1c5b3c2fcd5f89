import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the service answers the next request, after or before it has done what was asked. */
type Behaviour = 'ok' | 'cut_after_effect' | 'hang_after_effect' | 'hang_before_effect' | 'status_500_after_effect' | 'status_409' | 'html_502';

/** A refund service of its own: it keeps what was done, and knows idempotency keys when it is asked to. */
export async function startRefundService() {
  const refunds: { orderId: string; key: string }[] = [];
  const behaviours: Behaviour[] = [];
  let honoursKeys = false;
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const key = String(request.headers['idempotency-key']);
      if (request.method === 'GET') return response.end(JSON.stringify(refunds.find((refund) => refund.key === key) ?? null));
      const behaviour = behaviours.shift() ?? 'ok';
      if (behaviour === 'hang_before_effect') return;
      if (behaviour === 'status_409') return response.writeHead(409).end(JSON.stringify({ status: 409, title: 'already refunded' }));
      if (behaviour === 'html_502') return response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>');
      if (!honoursKeys || !refunds.some((refund) => refund.key === key)) refunds.push({ orderId: (JSON.parse(body) as { orderId: string }).orderId, key });
      if (behaviour === 'cut_after_effect') return request.socket.destroy();
      if (behaviour === 'hang_after_effect') return;
      if (behaviour === 'status_500_after_effect') return response.writeHead(500).end('{"error":"lost"}');
      return response.end(JSON.stringify({ refundId: `RF-${refunds.length}` }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refunds,
    behaviours,
    honourKeys: (value: boolean) => (honoursKeys = value),
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
