import type { NestExpressApplication } from '@nestjs/platform-express';
import { Router } from 'express';

const LINKS = {
  name: 'Herald',
  documentation: '/api',
  openApi: '/openapi.json',
  health: '/v1/health-check',
};

/** What stands at the address that the start prints: the way to Swagger UI for browsers, links for everything else. */
export function serveFrontDoor(app: NestExpressApplication): void {
  const router = Router();
  router.get('/', (request, response) => {
    response.vary('Accept');
    if (request.accepts(['json', 'html']) === 'html') response.redirect(302, LINKS.documentation);
    else response.json(LINKS);
  });
  app.use(router);
}
