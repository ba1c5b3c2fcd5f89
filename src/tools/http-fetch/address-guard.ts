import { lookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { FetchRefused } from './fetch-refused.ts';

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export interface AddressPolicy {
  /** Internal ranges that may be reached all the same, as `10.1.0.0/16`. Default none. */
  allow?: readonly string[];
  /** Default: the system's. */
  resolve?: Resolve;
}

/** Public addresses at which clouds answer their own machines alone. */
const CLOUD_SERVICES = new Set(['168.63.129.16']);
/** The only part of IPv6 that is given out. Everything else is local, or carries an IPv4 address past the check. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** True for addresses of the public internet alone; IPv4 inside IPv6 is read as IPv4. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || CLOUD_SERVICES.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
}

/**
 * Opens connections to public addresses only. What is checked is the address of the connection itself, so neither a redirect, nor an odd way to
 * write an address, nor a name that changes its mind between check and use gets past it.
 */
export function guardedConnector({ allow = [], resolve = resolveBySystem }: AddressPolicy, timeoutMs: number): buildConnector.connector {
  const ranges = allow.map((range) => ipaddr.parseCIDR(range));
  const check = (address: string, hostname: string): void => {
    if (isPublicAddress(address) || isAllowed(address, ranges)) return;
    throw new FetchRefused('blocked_address', `${hostname} is at ${address}, which is not an address of the public internet`);
  };
  const connect = async (options: buildConnector.Options): Promise<Socket> => {
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    const addresses = isIP(literal) ? [{ address: literal, family: isIP(literal) }] : await resolve(options.hostname);
    // one bad address spoils the name: which of them is used is not ours to know
    for (const { address } of addresses) check(address, options.hostname);
    const socket = await connectTo(addresses, options, timeoutMs);
    try {
      check(socket.remoteAddress ?? 'nowhere', options.hostname);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  };
  return callbackify(connect) as unknown as buildConnector.connector;
}

function isAllowed(address: string, ranges: readonly ReturnType<typeof ipaddr.parseCIDR>[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => parsed.kind() === range[0].kind() && parsed.match(range));
}

/** The name is not looked up again: it goes to the addresses that were checked. */
function connectTo(addresses: LookupAddress[], options: buildConnector.Options, timeout: number): Promise<Socket> {
  const lookupChecked: LookupFunction = (_hostname, { all }, done) => {
    const [first] = addresses;
    if (!first) return done(Object.assign(new Error(`${options.hostname} has no address`), { code: 'ENOTFOUND' }), []);
    return all ? done(null, addresses) : done(null, first.address, first.family);
  };
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const connector = buildConnector({ lookup: lookupChecked, timeout } as buildConnector.BuildOptions);
  connector(options, (error, socket) => (socket ? resolve(socket) : reject(error ?? new Error('no connection'))));
  return promise;
}

const ALL: LookupAllOptions = { all: true, order: 'verbatim' };

function resolveBySystem(hostname: string): Promise<LookupAddress[]> {
  const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>();
  lookup(hostname, ALL, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  return promise;
}
