import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { COMMANDS } from '../../bin/commands.mjs';
import { readExample } from './env-example.mjs';

const page = readFileSync('docs/manual/compared-with.md', 'utf8');
const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8'));
const settings = new Set(readExample(readFileSync('.env.example', 'utf8')).map(({ key }) => key));

const route = (name) => {
  const [method, path] = name.split(' ');
  return paths[path]?.[method.toLowerCase()] !== undefined;
};
const anyRoute = (part) => Object.keys(paths).some((path) => path.includes(part));
const setting = (name) => settings.has(name);
const file = (path) => existsSync(path);
const field = (schema, name) => components.schemas[schema]?.properties?.[name] !== undefined;
const stepTypes = components.schemas.StepDto.properties.template.oneOf.flatMap(({ $ref }) => {
  const { type } = components.schemas[$ref?.split('/').at(-1)]?.properties ?? {};
  return type?.enum ?? (type?.const === undefined ? [] : [type.const]);
});
const step = (type) => stepTypes.includes(type);
const consolePages = readFileSync('apps/console/src/pages.ts', 'utf8');
const editsWorkflows = () => /path: '\/workflows\/[^']*(?:new|edit)/.test(consolePages);

/** For each row, what it says of Herald, and what must or must not exist for it to be true. */
const PROOFS = {
  'Runs on your own machines': ['yes', () => file('Dockerfile') && 'start' in COMMANDS],
  Needs: ['Node; MongoDB in production, Redis optional', () => setting('MONGODB_URI') && setting('REDIS_URL')],
  'Web console to find out why and to replay': [
    'yes',
    () => setting('CONSOLE_ENABLED') && route('POST /v1/notifications/{notificationId}/replay'),
  ],
  'Workflow editor in the console': ['yes', () => editsWorkflows()],
  'Users with roles': ['yes: owner, editor, viewer', () => anyRoute('/v1/users') && field('InviteDto', 'role')],
  'Digests, delays, conditions': ['yes', () => step('digest') && step('delay') && field('StepDto', 'filters')],
  'Preferences, topics, tenants': ['yes', () => ['/preferences', '/v1/topics', '/v1/tenants'].every(anyRoute)],
  'Wait for an event, escalation': [
    'yes: messages and signals',
    () => step('wait_for_event') && route('POST /v1/events/signal'),
  ],
  'Throttle step': ['yes, exact with any number of processes', () => step('throttle')],
  'HTTP step': ['yes', () => step('http_request') && route('PUT /v1/secrets/{name}')],
  "Delays and digests in the subscriber's time zone": ['yes', () => field('StepMetadataDto', 'timezone')],
  'Quiet hours': ['yes; messages outside are skipped, or wait', () => field('CreateWorkflowDto', 'outsideSchedule')],
  'Translations of content': ['yes, with plurals and right-to-left', () => route('PUT /v1/translations/{locale}')],
  'Workflows in version control': [
    'yes: pull, push and promote; promotion in the console',
    () => ['pull', 'push', 'promote'].every((name) => name in COMMANDS) && route('POST /v1/promotions'),
  ],
  'Retries, and another provider if one fails': [
    'yes',
    () => setting('DELIVERY_MAX_ATTEMPTS') && route('POST /v1/integrations/{integrationId}/set-primary'),
  ],
  'Replay of what failed': [
    'yes, one or in bulk',
    () => route('POST /v1/notifications/{notificationId}/replay') && anyRoute('/replays'),
  ],
  'Inbox for web pages': [
    'own component; components of Novu',
    () => anyRoute('/v1/inbox/') && file('packages/inbox/package.json'),
  ],
  'Snoozed messages': ['yes', () => setting('SNOOZE_MAX_HOURS') && anyRoute('/snooze')],
  'Client libraries': [
    'TypeScript, Python; those of Novu for `/v1`',
    () => file('packages/client/package.json') && file('packages/python/pyproject.toml'),
  ],
  "Trail of each step, with the provider's answer": ['yes', () => route('GET /v1/execution-details')],
  'Crash safety of accepted events': ['stated and tested with `kill -9`', () => file('bench/faults/run.mjs')],
  "Deleting and exporting a person's data": [
    'yes',
    () => route('DELETE /v1/subscribers/{subscriberId}') && route('GET /v1/subscribers/{subscriberId}/export'),
  ],
  'Metrics for Prometheus': ['yes', () => setting('METRICS_PORT')],
  'Support, service levels': ['none', () => true],
};

const rows = page
  .slice(page.indexOf('## In more detail'))
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, what, herald]) => ({ what, herald }));

describe('docs/manual/compared-with.md', () => {
  it('should have a proof for each row, and no other', () => {
    expect(rows.map(({ what }) => what).sort()).toEqual(Object.keys(PROOFS).sort());
  });

  it.each(rows)('should say of Herald what is true: $what', ({ what, herald }) => {
    const [said, isTrue] = PROOFS[what];
    expect([herald, isTrue()]).toEqual([said, true]);
  });

  it('should know the step types that there are', () => {
    expect(stepTypes).toEqual(expect.arrayContaining(['in_app', 'email', 'sms', 'chat', 'push', 'digest', 'delay']));
  });
});

describe('README.md', () => {
  it('should count the providers that have a page', () => {
    const [, count] = /\[(\d+) providers\]\(docs\/providers\.md\)/.exec(readFileSync('README.md', 'utf8')) ?? [];
    expect(Number(count)).toBe(readdirSync('docs/providers').length);
  });
});
