import { createServer } from 'node:net';

/** The wanted port when it is free on 127.0.0.1, else any free one. */
export async function choosePort(wanted: number | undefined): Promise<number> {
  if (wanted) {
    const port = await bind(wanted).catch(() => null);
    if (port !== null) return port;
  }
  return bind(0);
}

function bind(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
