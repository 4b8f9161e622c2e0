import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { AppConfig, VERSION } from '#libs/config';
import { ErrorBody, type HttpPlatform, platformOf, publicPathOf, SUBSCRIBER_SECURITY } from '#libs/http-kit';
import { atOnce, inTurns, type Portions } from '#libs/worker-pool';
import {
  completeDocument,
  DESCRIPTION,
  docsLinks,
  SECURITY_DESCRIPTION,
  SUBSCRIBER_DESCRIPTION,
  TAGS,
  yamlInPortions,
} from './api-document/index.js';
import { entityTag, isKnownTo } from './entity-tag.js';

export function createDocument(app: INestApplication): OpenAPIObject {
  return atOnce(documentInPortions(app));
}

/** Module by module, so that generating it does not delay other requests. */
function* documentInPortions(app: INestApplication): Portions<OpenAPIObject> {
  const about = describeApi(app.get(AppConfig));
  const paths: OpenAPIObject['paths'] = {};
  const schemas: Schemas = {};
  let document: OpenAPIObject = { ...about, paths };
  const modules = new Set([...app.get(ModulesContainer).values()].map(({ metatype }) => metatype));
  // Last the model that no operation names. No module has this class, so nothing else is scanned with it.
  const scans = [...Array.from(modules, (module) => [module]), [ErrorBody]];
  for (const include of scans) {
    document = SwaggerModule.createDocument(app, about, {
      operationIdFactory: (_controller, method) => method,
      include,
      extraModels: include.filter((type) => type === ErrorBody),
    });
    for (const [path, item] of Object.entries(document.paths)) paths[path] = { ...paths[path], ...item };
    Object.assign(schemas, document.components?.schemas);
    yield;
  }
  return yield* completeDocument({ ...document, paths, components: { ...document.components, schemas } });
}

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

function describeApi(config: AppConfig): Omit<OpenAPIObject, 'paths'> {
  const publicPath = publicPathOf(config.get('PUBLIC_URL'));
  const builder = new DocumentBuilder()
    .setTitle('Herald API')
    .setDescription(config.get('DOCS_ENABLED') === 'on' ? `${DESCRIPTION}\n\n${docsLinks(publicPath)}` : DESCRIPTION)
    .setVersion(VERSION)
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer(publicPath || '/', 'This server')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization', description: SECURITY_DESCRIPTION }, 'ApiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: SUBSCRIBER_DESCRIPTION }, SUBSCRIBER_SECURITY)
    .addSecurityRequirements('ApiKey');
  TAGS.forEach(([name, description]) => builder.addTag(name, description));
  const about = builder.build();
  return { ...about, info: { ...about.info, contact: { name: 'Herald' } } };
}

// No response has links, and their column is too wide for a phone. Wide content scrolls within its operation.
const CSS = '.swagger-ui .response-col_links { display: none } .swagger-ui .opblock-body { overflow-x: auto }';

/** In the npm package, Swagger UI is part of it (tools/package/prepack.mjs). */
const SWAGGER_UI = fileURLToPath(new URL('./swagger-ui', import.meta.url));

/** The script of Swagger UI contains the document. */
const NEEDS_DOCUMENT = /^\/api\/.*swagger-ui-init\.js$/;

/** The first request generates the document. @returns the document for other routes */
export function serveOpenApi(app: INestApplication): () => Promise<OpenAPIObject> {
  let generation: Promise<OpenAPIObject> | undefined;
  let document: OpenAPIObject | undefined;
  const generate = async (): Promise<OpenAPIObject> => (document = await inTurns(documentInPortions(app)));
  const whenGenerated = (): Promise<OpenAPIObject> => (generation ??= generate());
  const generated = (): OpenAPIObject => {
    if (document === undefined) throw new Error('The OpenAPI document was used before it was generated.');
    return document;
  };
  const platform = platformOf(app);
  platform.prepare(NEEDS_DOCUMENT, whenGenerated);
  SwaggerModule.setup('api', app, generated, {
    // Nest would write the YAML form synchronously, which takes long.
    raw: false,
    ...(existsSync(SWAGGER_UI) && { customSwaggerUiPath: SWAGGER_UI }),
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
  const json = async (): Promise<string> => JSON.stringify(await whenGenerated());
  const yaml = async (): Promise<string> => inTurns(yamlInPortions(await whenGenerated()));
  serveDocument(platform, ['/api-json', '/openapi.json'], 'application/json; charset=utf-8', json);
  serveDocument(platform, ['/api-yaml'], 'text/yaml; charset=utf-8', yaml);
  return whenGenerated;
}

/**
 * Written once, because that takes a tenth of a second and needs no API key. Responses share its bytes, so that stalled
 * connections hold no copies.
 */
function serveDocument(
  platform: HttpPlatform,
  paths: readonly string[],
  type: string,
  write: () => Promise<string>,
): void {
  let written: Promise<{ readonly bytes: Buffer; readonly tag: string }> | undefined;
  const toBytes = (text: string): { bytes: Buffer; tag: string } => {
    const bytes = Buffer.from(text);
    return { bytes, tag: entityTag(bytes) };
  };
  for (const path of paths) {
    platform.get(path, async (request, reply) => {
      const { bytes, tag } = await (written ??= write().then(toBytes));
      reply.header('etag', tag);
      if (isKnownTo(request, tag)) reply.status(304).send();
      else reply.type(type).send(bytes);
    });
  }
}
