import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands before a server; when it is cut, whoever came through it is gone from one moment to the next, as a machine without power. */
export interface CutProxy {
  port: number;
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startCutProxy(target: { host: string; port: number }): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((inside) => {
    if (isCut) return void inside.destroy();
    const outside = createConnection(target);
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(from);
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      from.pipe(to);
    }
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    restore: () => {
      isCut = false;
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
