import type { INestApplication } from '@nestjs/common';
import { platformOf } from '#libs/http-kit';
import type { Route } from './routes.js';

/** What the router really serves, hidden routes included. HEAD goes with every GET. */
export function routesOf(app: INestApplication): Route[] {
  return platformOf(app)
    .routes()
    .filter(({ method }) => method !== 'HEAD');
}
