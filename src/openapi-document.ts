import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody } from '#libs/http-kit';
import { completeDocument, DESCRIPTION, SECURITY_DESCRIPTION, TAGS } from './api-document/index.js';

/** The OpenAPI document, made from code and comments. */
export function createDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Herald API')
    .setDescription(DESCRIPTION)
    .setVersion('v1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/', 'This server')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization', description: SECURITY_DESCRIPTION }, 'ApiKey')
    .addSecurityRequirements('ApiKey');
  TAGS.forEach(([name, description]) => config.addTag(name, description));
  const document = SwaggerModule.createDocument(app, config.build(), {
    operationIdFactory: (_controller, method) => method,
    extraModels: [ErrorBody],
  });
  return completeDocument(document);
}

// No answer has links, and their column is wider than what a phone has left. What is too wide scrolls within its operation.
const CSS = '.swagger-ui .response-col_links { display: none } .swagger-ui .opblock-body { overflow-x: auto }';

/** Serves Swagger UI at /api and the document beside it; the document is made when it is first asked for. */
export function serveOpenApi(app: INestApplication): void {
  let document: OpenAPIObject | undefined;
  const lazily = (): OpenAPIObject => (document ??= createDocument(app));
  SwaggerModule.setup('api', app, lazily, {
    jsonDocumentUrl: 'api-json',
    yamlDocumentUrl: 'api-yaml',
    customSiteTitle: 'Herald API',
    customCss: CSS,
    swaggerOptions: {
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      docExpansion: 'none',
      filter: true,
      persistAuthorization: true,
      tryItOutEnabled: true,
    },
  });
  app
    .getHttpAdapter()
    .get('/openapi.json', (_request: unknown, response: { json(body: unknown): void }) => response.json(lazily()));
}
