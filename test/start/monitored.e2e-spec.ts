import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Schemas } from '@herald/client';
import { createActiveWorkflow } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { type ProviderSink, json, startProviderSink } from '../support/provider-sink.js';
import { StartedHerald, TEST_KEY } from '../support/started-herald.js';
import { TraceCollector } from '../support/trace-collector.js';

const CREDENTIAL = 'a-credential-that-no-log-shows';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

/** A process with metrics on a port of their own, traces, and a provider that refuses some addresses. */
describe('a monitored process', () => {
  const collector = new TraceCollector();
  let dataDir: string;
  let provider: ProviderSink;
  let herald: StartedHerald;
  let metricsPort: number;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'herald-monitored-'));
    provider = await startProviderSink();
    provider.answer = (path, body, response) =>
      body.includes('refused')
        ? json(400, { errors: [{ message: 'refused@example.com is on a list' }] })(path, body, response)
        : json(202, {}, { 'x-message-id': 'm-1' })(path, body, response);
    herald = await StartedHerald.start(dataDir, {
      API_KEY: TEST_KEY,
      LOG_LEVEL: 'info',
      METRICS_PORT: '0',
      ALLOW_PRIVATE_URLS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(),
      OTEL_BSP_SCHEDULE_DELAY: '100',
      PROVIDER_BASE_URLS: `sendgrid=${provider.url}`,
    });
    await herald.welcome();
    await eventually(() => expect(herald.lines().some(({ msg }) => msg === 'serving metrics')).toBe(true));
    metricsPort = Number(herald.lines().find(({ msg }) => msg === 'serving metrics')?.['port']);
    await herald.client.integrations.createIntegration({
      body: {
        providerId: 'sendgrid',
        channel: 'email',
        credentials: { apiKey: CREDENTIAL, from: 'me@example.com', senderName: 'Me' },
        active: true,
        check: false,
      },
    });
    const mail = { template: { type: 'email' as const, subject: 'Hello', content: 'text' } };
    await createActiveWorkflow(herald.client, 'Watched', [mail], { missingAddress: 'fail' });
  });

  afterAll(async () => {
    await herald.end('SIGKILL');
    await provider.close();
    collector.close();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it('should log requests of the API, but no pages and their files', async () => {
    for (const path of ['/api', '/console', '/docs', '/docs/nothing-here', '/v1/feeds']) {
      await (await fetch(`${herald.url}${path}`)).text();
    }
    const routes = (): unknown[] => herald.lines().flatMap(({ msg, route }) => (msg === 'request' ? [route] : []));
    await eventually(() => expect(routes()).toContain('/v1/feeds'));
    expect(routes()).not.toEqual(expect.arrayContaining(['/api']));
    expect(routes()).not.toEqual(expect.arrayContaining(['/console']));
    const served = herald.lines().filter(({ msg }) => msg === 'serving metrics');
    expect(served).toMatchObject([{ path: '/metrics', port: metricsPort }]);
  });

  const triggerFor = (
    transactionId: string,
    to: Schemas['TriggerEventDto']['to'],
    headers: Record<string, string> = {},
  ): Promise<unknown> => herald.client.events.triggerEvent({ body: { name: 'watched', to, transactionId }, headers });

  it('should log one line for each failed delivery, by which the notification is found, without address and secret', async () => {
    await triggerFor('refused-1', { subscriberId: 'ann', email: 'refused@example.com' });
    await triggerFor('nowhere-1', { subscriberId: 'bob' });
    const failures = (transactionId: string): Record<string, unknown>[] =>
      herald.lines().filter((line) => line['transactionId'] === transactionId && line['level'] === 'warn');
    await eventually(() => expect([failures('refused-1'), failures('nowhere-1')].flat()).toHaveLength(2));
    const id = expect.stringMatching(/^[0-9a-f]{24}$/) as string;
    const common = { level: 'warn', msg: 'delivery failed', channel: 'email', notificationId: id };
    expect(failures('refused-1')).toMatchObject([
      { ...common, messageId: id, provider: 'sendgrid', reason: 'rejected', attempt: 1, statusCode: 400 },
    ]);
    expect(failures('nowhere-1')).toMatchObject([{ ...common, reason: expect.any(String) as string }]);
    const log = JSON.stringify(herald.lines());
    expect(log).not.toContain('refused@example.com');
    expect(log).not.toContain(CREDENTIAL);
    expect(log).not.toContain(TEST_KEY);
  });

  it('should not log health checks at level info', async () => {
    await herald.client.health.checkHealth();
    await herald.client.feeds.listFeeds();
    await eventually(() => expect(herald.lines().some(({ route }) => route === '/v1/feeds')).toBe(true));
    expect(herald.lines().filter(({ route }) => route === '/v1/health-check')).toEqual([]);
  });

  it('should export one trace from the caller to the provider', async () => {
    await triggerFor(
      'traced-1',
      { subscriberId: 'cleo', email: 'cleo@example.com' },
      { traceparent: `00-${TRACE}-${CALLER}-01` },
    );
    const names = ['POST /v1/events/trigger', 'notification watched', 'step email', 'send sendgrid'] as const;
    await eventually(() => expect([...collector.of(TRACE).keys()].sort()).toEqual([...names].sort()));
    const spans = collector.of(TRACE);
    const parents = names.map((name) => spans.get(name)?.parentSpanId);
    const ids = names.map((name) => spans.get(name)?.spanId);
    expect(parents).toEqual([CALLER, ...ids.slice(0, 3)]);
    expect(JSON.stringify([...spans.values()])).not.toContain('cleo@example.com');
  });

  it('should serve metrics on their port, with calls of providers and commands to the store', async () => {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toMatch(
      /^herald_provider_call_duration_seconds_count\{channel="email",provider="sendgrid",outcome="rejected"\} 1$/m,
    );
    expect(text).toMatch(/^herald_provider_call_duration_seconds_count\{.*outcome="accepted"\} 1$/m);
    expect(text).toMatch(/^herald_dead_letters_total\{type="email"\} 1$/m);
    expect(text).toMatch(/^herald_store_command_duration_seconds_count [1-9]/m);
    expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
    expect((await fetch(`${herald.url}/metrics`)).status).toBe(404);
  });
});
