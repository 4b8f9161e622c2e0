import { Injectable } from '@nestjs/common';
import { UnknownRoutes } from '#libs/http-kit';
import { RouteNotServed } from './not-served.errors.js';

/** What later clients of the compatible system call, and Herald does not serve. */
const NOT_SERVED = [
  /^\w+ \/v1\/(agents|channel-connections|channel-endpoints|domains|environment-variables)(\/.*)?$/i,
  /^\w+ \/v2\/(contexts|inbound-webhooks|layouts|translations)(\/.*)?$/i,
  /^(PUT|DELETE) \/v1\/environments\/[^/]+\/?$/i,
  /^POST \/v1\/integrations\/(chat|channel-connections|channel-endpoints)\/oauth\/?$/i,
  /^POST \/v1\/integrations\/channel-endpoints\/link\/?$/i,
  /^POST \/v1\/integrations\/[^/]+\/(auto-configure|mobile-link|webhook\/configure)\/?$/i,
];

/** No routes of the router: those of all resources would be hundreds, and its wildcards differ between the HTTP platforms. */
@Injectable()
export class NotServedRoutes {
  constructor(unknown: UnknownRoutes) {
    unknown.explainBy((method, path) =>
      NOT_SERVED.some((pattern) => pattern.test(`${method} ${path}`)) ? new RouteNotServed(method, path) : undefined,
    );
  }
}
