import { readFileSync } from 'node:fs';
import { operationsOf, readDocument, resolve, type Schema } from '../support/routes.js';
import { useHerald } from '../support/herald.js';
import { triedRequests } from '../support/try-it-out.js';

const document = readDocument();
const operations = operationsOf(document);
const { schemas } = document.components;
const propertiesOf = (name: string): Record<string, Schema> => schemas[name]?.properties ?? {};

/** What any request can be answered, known route or not, and what only stands in for a code that says more. */
/** Of the frame, and of tools of agents, whose protocol describes itself. */
const OF_NO_OPERATION = [
  'agent_is_quiet',
  'agent_key_elsewhere',
  'agent_limit_reached',
  'already_exists',
  'api_key_needed',
  'bad_request',
  'conflict',
  'count_changed',
  'forbidden',
  'internal_error',
  'malformed_body',
  'malformed_request',
  'method_not_allowed',
  'not_found',
  'request_timeout',
  'route_not_found',
  'route_not_served',
  'store_damaged',
  'store_full',
  'too_many_for_agent',
  'too_many_large_bodies',
  'tool_not_found',
  'unavailable',
  'unprocessable',
];

describe('the OpenAPI document', () => {
  it('should list the tags in the order of use, each with a description, and the paths in that order', () => {
    const tags = document.tags.map(({ name }) => name);
    expect(tags.slice(0, 3)).toEqual(['Events', 'Workflows', 'Subscribers']);
    expect(document.tags.filter(({ description }) => !/\w{3}/.test(description))).toEqual([]);
    const used = operations.map(({ operation }) => operation.tags?.[0] ?? '');
    expect(new Set(used)).toEqual(new Set(tags));
    const order = used.filter((tag, index) => tag !== used[index - 1]);
    expect(order).toEqual(tags);
  });

  it('should link its first page to operations that there are', () => {
    const links = [...document.info.description.matchAll(/\(#\/([^/)]+)\/(\w+)\)/g)];
    expect(links.length).toBeGreaterThan(3);
    for (const [, tag = '', id] of links) {
      const linked = operations.find(({ operation }) => operation.operationId === id);
      expect(linked?.operation.tags).toEqual([decodeURIComponent(tag)]);
    }
    expect(document.servers).toEqual([{ url: '/', description: expect.any(String) as string }]);
  });

  it('should mark what is only there for older clients', () => {
    const marked = operations.filter(({ operation }) => operation.deprecated === true).map(({ path }) => path);
    expect(new Set(marked.map((path) => path.replace(/\{.*/, '')))).toEqual(
      new Set([
        '/v1/notification-templates',
        '/v1/notification-templates/',
        '/v1/notification-templates/variables',
        '/v1/subscribers/',
      ]),
    );
    // The bell still calls its own one.
    const older = operations.filter(({ path }) => /subscribers.*markAs$|notification-templates/.test(path));
    expect(older.length).toBe(marked.length);
  });

  it('should describe every field and parameter', () => {
    const bare = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { description, $ref }]) => (description ?? '') === '' && $ref === undefined)
        .map(([field]) => `${name}.${field}`),
    );
    expect(bare).toEqual([]);
    const parameters = operations.flatMap(({ operation }) =>
      (operation.parameters ?? [])
        .filter(({ description }) => (description ?? '') === '')
        .map(({ name }) => `${operation.operationId}: ${name}`),
    );
    expect(parameters).toEqual([]);
  });

  it('should have an example for each path parameter and none for optional query parameters', () => {
    for (const { operation } of operations) {
      for (const { name, in: where, required, example, schema } of operation.parameters ?? []) {
        const told = { id: operation.operationId, name };
        const kind = schema?.type === 'integer' ? Number : String;
        if (where === 'path') expect({ ...told, example }).toEqual({ ...told, example: expect.any(kind) as unknown });
        if (where !== 'query' || required === true) continue;
        expect({ ...told, example: example ?? schema?.examples }).toEqual({ ...told, example: undefined });
      }
    }
  });

  it('should show an example for each code of an error, which the documentation lists', () => {
    const known = new Set(
      [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code),
    );
    for (const { path, operation } of operations) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || operation.operationId === 'checkHealth') continue;
        const examples = Object.values(answer.content?.['application/json']?.examples ?? {}).map(({ value }) => value);
        const shown = examples as Record<string, unknown>[];
        const told = { path, status, statuses: new Set(shown.map(({ statusCode }) => statusCode)) };
        expect(told).toEqual({ path, status, statuses: new Set([Number(status)]) });
        const codes = [...answer.description.matchAll(/`([a-z]+_[a-z_]+|unauthorized|forbidden)`/g)].map(
          ([, code]) => code,
        );
        expect([...new Set(shown.map(({ code }) => code))]).toEqual(codes);
        expect(codes.filter((code) => !known.has(code))).toEqual([]);
        // Messages may name a route with its parameters.
        expect(JSON.stringify(examples).replace(/(?:GET|POST|PUT|PATCH|DELETE) \/\S+/g, '')).not.toMatch(/\{[\w…]+\}/);
      }
    }
  });

  it('should name every code that the documentation lists at an operation that can answer it', () => {
    const listed = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code);
    const described = operations.flatMap(({ operation }) =>
      Object.values(operation.responses).map(({ description }) => description),
    );
    const isNamed = (code: string): boolean => described.some((text) => text.includes(`\`${code}\``));
    expect(listed.length).toBeGreaterThan(70);
    expect([...new Set(listed)].filter((code) => !isNamed(code)).sort()).toEqual(OF_NO_OPERATION);
  });

  it('should declare 400 wherever input can be wrong', () => {
    const without = operations.filter(
      ({ operation: { parameters = [], requestBody, responses } }) =>
        responses['400'] === undefined &&
        (requestBody !== undefined || parameters.some(({ in: where }) => where !== 'header')),
    );
    expect(without.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  it('should have plain summaries', () => {
    const odd = operations.filter(({ operation: { summary = '' } }) => /`|\s{2}/.test(summary) || summary.length > 90);
    expect(odd.map(({ operation }) => operation.summary)).toEqual([]);
  });

  it('should have all required fields in the examples of bodies', () => {
    for (const { name, body, operation } of triedRequests(document)) {
      const { required = [] } = resolve(document, operation.requestBody?.content['application/json']?.schema);
      const missing = required.filter((field) => !Object.hasOwn(body ?? {}, field));
      expect({ name, missing }).toEqual({ name, missing: [] });
    }
  });

  it('should say lengths of entries on the entries', () => {
    const lists = (schema: Schema & { maxLength?: number; minLength?: number }): Schema[] => [
      ...(schema.type === 'array' && (schema.maxLength ?? schema.minLength) !== undefined ? [schema] : []),
      ...Object.values(schema.properties ?? {}).flatMap(lists),
      ...(schema.items ? lists(schema.items) : []),
    ];
    expect(Object.values(schemas).flatMap(lists)).toEqual([]);
    expect(
      operations.flatMap(({ operation }) => (operation.parameters ?? []).flatMap(({ schema }) => lists(schema ?? {}))),
    ).toEqual([]);
    expect(propertiesOf('SubscriberCredentialsDto')['deviceTokens']?.items).toMatchObject({
      minLength: 1,
      maxLength: 4096,
    });
  });
});

describe('the schemas of the contract', () => {
  const FILTER = ['children', 'isNegated', 'type', 'value'];
  const METADATA = ['amount', 'backoff', 'backoffAmount', 'backoffUnit', 'digestKey', 'type', 'unit', 'updateMode'];
  const SWITCHES = ['chat', 'email', 'in_app', 'push', 'sms'];
  const item = (schema: Schema | undefined): Schema => resolve(document, resolve(document, schema).items);

  it.each(['IntegrationResponse', 'WorkflowResponse', 'WorkflowSummaryResponse', 'WorkflowOverrideResponse'])(
    'should have deletedAt and deletedBy: %s',
    (name) => {
      expect(propertiesOf(name)).toMatchObject({ deletedAt: { type: 'string' }, deletedBy: { type: 'string' } });
    },
  );

  it('should have the field deprecated, which has no type, in new workflows', () => {
    expect(propertiesOf('CreateWorkflowDto')).toHaveProperty('deprecated');
  });

  it('should have _parentId on groups and workflows', () => {
    for (const name of ['NotificationGroupResponse', 'WorkflowResponse']) {
      expect(propertiesOf(name)['_parentId']).toMatchObject({ type: 'string' });
    }
  });

  it.each(['CreateWorkflowDto', 'UpdateWorkflowDto', 'WorkflowResponse'])('should have whole steps: %s', (name) => {
    const step = item(propertiesOf(name)['steps']).properties ?? {};
    const filter = item(step['filters']);
    expect(Object.keys(filter.properties ?? {}).sort()).toEqual(FILTER);
    expect(Object.keys(item(filter.properties?.['children']).properties ?? {})).toEqual(
      expect.arrayContaining(['field', 'value', 'operator', 'on']),
    );
    expect(Object.keys(resolve(document, step['metadata']).properties ?? {})).toEqual(expect.arrayContaining(METADATA));
    expect(Object.keys(resolve(document, step['replyCallback']).properties ?? {}).sort()).toEqual(['active', 'url']);
    expect(Object.keys(item(step['variants']).properties ?? {})).toEqual(
      expect.arrayContaining(['template', 'filters']),
    );
  });

  it('should tell the templates of the types of steps apart', () => {
    const { template } = schemas['StepDto']?.properties ?? {};
    const mapping = template?.discriminator?.mapping ?? {};
    expect(Object.keys(mapping).sort()).toEqual([
      'ask',
      'branch',
      'chat',
      'delay',
      'digest',
      'email',
      'http_request',
      'in_app',
      'push',
      'sms',
      'split',
      'throttle',
      'trigger_workflow',
      'wait_for_event',
    ]);
    for (const [type, $ref] of Object.entries(mapping)) {
      expect(resolve(document, { $ref }).properties?.['type']?.enum).toEqual([type]);
    }
  });

  it.each(['WorkflowResponse', 'WorkflowOverrideResponse', 'CreateWorkflowDto', 'UpdateWorkflowOverrideDto'])(
    'should name the five switches: %s',
    (name) => {
      const settings = resolve(document, propertiesOf(name)['preferenceSettings']);
      expect(Object.keys(settings.properties ?? {}).sort()).toEqual(SWITCHES);
    },
  );

  it('should name the variables of triggers, and the providers of channel credentials', () => {
    for (const field of ['variables', 'subscriberVariables']) {
      expect(item(propertiesOf('WorkflowTriggerResponse')[field]).properties).toHaveProperty('name');
    }
    expect(propertiesOf('SubscriberChannelResponse')['providerId']?.enum).toEqual(
      propertiesOf('ChannelCredentialsDto')['providerId']?.enum,
    );
  });

  it('should count in whole numbers', () => {
    const versions = Object.values(schemas).flatMap(({ properties = {} }) => properties['__v'] ?? []);
    expect(versions.length).toBeGreaterThan(10);
    expect(versions.filter(({ type }) => type !== 'integer')).toEqual([]);
  });

  it('should say what a trigger can name and override, and what a layout declares', () => {
    const { to, overrides } = propertiesOf('TriggerEventDto');
    const recipients = to?.oneOf?.map((one) => resolve(document, one)) ?? [];
    expect(recipients.map(({ type }) => type)).toEqual(['string', 'object', 'object', 'object', 'array']);
    expect(item(recipients[1]?.properties?.['channels']).properties).toHaveProperty('credentials');
    expect(overrides?.oneOf).toContainEqual({ type: 'null' });
    expect(Object.keys(resolve(document, overrides?.oneOf?.[0]).properties ?? {})).toEqual(
      expect.arrayContaining(['email', 'sms', 'chat', 'push', 'delay', 'layoutIdentifier']),
    );
    expect(item(propertiesOf('CreateLayoutDto')['variables']).properties).toHaveProperty('defaultValue');
  });
});

describe('the webhooks of the document', () => {
  it('should be all that Herald sends, signed', () => {
    const events = propertiesOf('WebhookResponse')['events']?.items?.enum ?? [];
    expect(Object.keys(document.webhooks)).toEqual([...events, 'condition']);
    for (const { post } of Object.values(document.webhooks)) {
      expect(post.parameters?.map((parameter) => '$ref' in parameter && parameter.$ref)).toEqual(
        ['WebhookId', 'WebhookTimestamp', 'WebhookSignature'].map((name) => `#/components/parameters/${name}`),
      );
      expect(post.requestBody?.content['application/json']?.schema).toBeDefined();
    }
  });
});

describe('Swagger UI', () => {
  const api = useHerald();

  it('should come folded, with a filter, links and the key kept', async () => {
    const settings = await (await fetch(`${api.url}/api/swagger-ui-init.js`)).text();
    for (const option of [
      '"docExpansion": "none"',
      '"filter": true',
      '"deepLinking": true',
      '"persistAuthorization": true',
    ]) {
      expect(settings).toContain(option);
    }
  });
});
