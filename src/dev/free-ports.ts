import { createServer, type Server } from 'node:net';

/** Ports of the loopback address that nobody listens on. All are held at once, so they differ. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map(close));
  return ports;
}

/** `preferred` when nobody listens on it, else any free port. */
export async function freePortNear(preferred: number): Promise<number> {
  try {
    await close(await listen(preferred));
    return preferred;
  } catch {
    const [port] = await freePorts(1);
    return port!;
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
