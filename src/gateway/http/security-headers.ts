import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { GatewayEnvironment } from '../environment.ts';

/** Pages run our own files only, are framed by nobody and send no referrer. @param https whether people reach the gateway by https */
export function securityHeaders(https: boolean): MiddlewareHandler<GatewayEnvironment> {
  const self = "'self'";
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: [self],
      styleSrc: [self],
      // charts and the API's page draw small pictures from data
      imgSrc: [self, 'data:'],
      fontSrc: [self],
      connectSrc: [self],
      manifestSrc: [self],
      formAction: [self],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
    },
    xFrameOptions: 'DENY',
    xContentTypeOptions: 'nosniff',
    referrerPolicy: 'no-referrer',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: 'same-origin',
    strictTransportSecurity: https ? 'max-age=31536000; includeSubDomains' : false,
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
  }) as MiddlewareHandler<GatewayEnvironment>;
}
