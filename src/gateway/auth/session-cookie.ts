import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { GatewayContext } from '../environment.ts';

/** The cookie of a signed-in browser. By https its name ties it to this host and to https; by http it carries the port, for ports share their cookies. */
export interface SessionCookie {
  read(context: GatewayContext): string | undefined;
  write(context: GatewayContext, session: string, endsAt: Date): void;
  clear(context: GatewayContext): void;
}

export function createSessionCookie(https: boolean): SessionCookie {
  const name = (context: GatewayContext): string => (https ? '__Host-loopwright' : `loopwright-${context.env.incoming.socket.localPort}`);
  const options = { path: '/', httpOnly: true, secure: https, sameSite: 'Strict' } as const;
  return {
    read: (context) => getCookie(context, name(context)),
    write: (context, session, expires) => setCookie(context, name(context), session, { ...options, expires }),
    clear: (context) => void deleteCookie(context, name(context), options),
  };
}
