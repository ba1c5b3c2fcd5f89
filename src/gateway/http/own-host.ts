import { networkInterfaces } from 'node:os';
import type { MiddlewareHandler } from 'hono';
import type { GatewayEnvironment } from '../environment.ts';
import { ProblemError } from './problem.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const ANY_ADDRESS = ['0.0.0.0', '::'];
const HTTP_PORT = 80;

export interface HostNames {
  /** The address that the server is bound to. */
  host: string;
  /** Where people reach it, when that is another name (a proxy in front). */
  publicUrl: string | null;
}

/**
 * Whether a Host header names this server: loopback names, its own address, or the public URL's. Any other name is a page's that had its DNS
 * name point here (rebinding), and would otherwise count as of the same origin.
 */
export function isOwnHost(header: string | undefined, localPort: number, names: HostNames): boolean {
  const given = header?.toLowerCase() ?? '';
  if (names.publicUrl !== null && given === new URL(names.publicUrl).host) return true;
  const parts = /^(\[[0-9a-f:.]+\]|[0-9a-z.-]+)(?::(\d{1,5}))?$/.exec(given);
  if (!parts) return false;
  return Number(parts[2] ?? HTTP_PORT) === localPort && ownNames(names.host).includes(parts[1]!);
}

function ownNames(host: string): string[] {
  const addresses = ANY_ADDRESS.includes(host) ? Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address)) : [host];
  return [...LOOPBACK, ...addresses.map((address) => (address.includes(':') ? `[${address.toLowerCase()}]` : address.toLowerCase()))];
}

/** Refuses requests for other hosts with 403. */
export function ownHostOnly(names: HostNames): MiddlewareHandler<GatewayEnvironment> {
  return async (context, next) => {
    const localPort = context.env.incoming.socket.localPort ?? 0;
    if (!isOwnHost(context.req.header('host'), localPort, names))
      throw new ProblemError(
        403,
        'unknown_host',
        'This server does not answer for that host name. Use its address, or set LOOPWRIGHT_GATEWAY_PUBLIC_URL to the name in front of it.',
      );
    await next();
  };
}
