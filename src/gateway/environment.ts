import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Principal } from '../contracts/identity.ts';

/** What a request carries through the gateway. `principal` is set on everything but the public paths. */
export interface GatewayEnvironment {
  Bindings: HttpBindings;
  Variables: { principal: Principal; requestId: string };
}
export type Api = OpenAPIHono<GatewayEnvironment>;
export type GatewayContext = Context<GatewayEnvironment>;
