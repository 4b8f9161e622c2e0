import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody } from '#libs/http-kit';

const DESCRIPTION = `Herald delivers notifications: workflows, channels, digests, and an honest trail of what became of each message.

Every answer wraps its result in \`data\`. Press **Authorize** and paste \`ApiKey <your key>\`: \`npm start\` prints the key at the first start and keeps it in \`DATA_DIR/api-key\`.`;

/** The OpenAPI document, made from code and comments. */
export function createDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Herald')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'Authorization', description: 'The word ApiKey, a blank, and the key' },
      'ApiKey',
    )
    .addSecurityRequirements('ApiKey')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (_controller, method) => method,
    extraModels: [ErrorBody],
  });
  nameOperations(document);
  for (const path of Object.values(document.paths)) {
    addCommonAnswers(path as Record<string, Operation>);
    addIdempotencyKey(path as Record<string, Operation>);
  }
  return document;
}

/** Nest numbers the operations of a controller with several paths; the first path gets the plain name instead. */
function nameOperations({ paths }: OpenAPIObject): void {
  const operations = Object.values(paths).flatMap((path) => Object.values(path as Record<string, Operation>));
  const taken = new Set<string>();
  for (const operation of operations) {
    if (operation.operationId === undefined) continue;
    const name = operation.operationId.replace(/\[\d+\]$/, '');
    operation.operationId = taken.has(name) ? `${name}ByOlderPath` : name;
    taken.add(name);
  }
}

interface Operation {
  operationId?: string;
  security?: unknown[];
  parameters?: unknown[];
  responses: Record<string, unknown>;
  requestBody?: unknown;
}

/** Operations that answer without a key. */
const PUBLIC_OPERATIONS = new Set(['checkHealth', 'receiveProviderCallback', 'probeProviderCallback']);

const answer = (description: string): object => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
});

/** Every operation can be refused for want of a key or for its body, and told that the store is away. */
function addCommonAnswers(operations: Record<string, Operation>): void {
  for (const operation of Object.values(operations)) {
    if (operation.responses === undefined) continue;
    if (PUBLIC_OPERATIONS.has(operation.operationId ?? '')) {
      operation.security = [];
      continue;
    }
    if (operation.requestBody !== undefined) {
      operation.responses['413'] ??= answer('The body is larger than the limit of the route');
      operation.responses['415'] ??= answer('The body is not JSON');
    }
    operation.responses['401'] ??= answer('The API key is missing, unknown, revoked or expired');
    operation.responses['429'] ??= answer('Too many requests; Retry-After says when to try again');
    operation.responses['503'] ??= answer('The store is away at the moment; try again shortly');
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Carries the request out once: the same request with the same key gets the same answer for 24 hours.',
  schema: { type: 'string', maxLength: 255 },
};

/** Whoever has an API key can send it with every POST and PATCH. */
function addIdempotencyKey({ post, patch }: Record<string, Operation>): void {
  for (const operation of [post, patch]) {
    if (operation === undefined || operation.security?.length === 0) continue;
    operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
    operation.responses['400'] ??= answer('The input is not valid; `message` lists every fault with its path');
    operation.responses['409'] ??= answer('A request with this Idempotency-Key is being carried out');
    operation.responses['422'] ??= answer('The Idempotency-Key was used with another body');
  }
}

/** Serves Swagger UI at /api and the document beside it; the document is made when it is first asked for. */
export function serveOpenApi(app: INestApplication): void {
  let document: OpenAPIObject | undefined;
  const lazily = (): OpenAPIObject => (document ??= createDocument(app));
  SwaggerModule.setup('api', app, lazily, {
    jsonDocumentUrl: 'api-json',
    yamlDocumentUrl: 'api-yaml',
    customSiteTitle: 'Herald API',
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true, tryItOutEnabled: true },
  });
  app
    .getHttpAdapter()
    .get('/openapi.json', (_request: unknown, response: { json(body: unknown): void }) => response.json(lazily()));
}
