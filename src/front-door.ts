import type { NestExpressApplication } from '@nestjs/platform-express';
import { Router } from 'express';

const LINKS = {
  name: 'Herald',
  documentation: '/api',
  openApi: '/openapi.json',
  health: '/v1/health-check',
};

/** Serves the address that the start prints: redirects browsers to Swagger UI, gives links to all other clients. */
export function serveFrontDoor(app: NestExpressApplication): void {
  const router = Router();
  router.get('/', (request, response) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') response.redirect(302, LINKS.documentation);
    else response.json(LINKS);
  });
  app.use(router);
}
