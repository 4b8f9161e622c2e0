import type { INestApplication } from '@nestjs/common';
import { platformOf } from '#libs/http-kit';
import type { Route } from './routes.js';

/** What the router really serves, hidden routes included. HEAD goes with every GET. */
export function routesOf(app: INestApplication): Route[] {
  return platformOf(app)
    .routes()
    .filter(({ method }) => method !== 'HEAD');
}

/** The routes of the API, which its document describes. */
export function apiRoutesOf(app: INestApplication): Route[] {
  return routesOf(app).filter(({ path }) => /^\/v[12]\//.test(path));
}
