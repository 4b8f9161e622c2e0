import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DryRunAnswer } from './dry-run-answer.js';
import type { WorkflowTest } from './test-file.js';

/** A Herald for tests, as src/bootstrap/test-stage.ts opens it. */
export interface Stage {
  readonly url: string;
  readonly apiKey: string;
  /** Whether plugins add to what workflow files may contain. */
  readonly hasPlugins: boolean;
  setTime(moment: Date): void;
  answerWebhooks(answers: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

/** Herald refused what a test gives; the texts say why. */
export class RefusedTest extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'));
  }
}

/** When events of tests without `time` are triggered: a Monday. */
const DEFAULT_TIME = '2026-01-05T12:00:00.000Z';

const DEFAULT_SUBSCRIBER = {
  subscriberId: 'ada',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '+15551230100',
};

/** One sender for each channel; messages are composed with it, and not sent. */
const INTEGRATIONS = [
  {
    providerId: 'nodemailer',
    channel: 'email',
    credentials: { host: '127.0.0.1', port: '25', from: 'sender@example.com', senderName: 'Sender' },
  },
  {
    providerId: 'generic-sms',
    channel: 'sms',
    credentials: {
      baseUrl: 'http://127.0.0.1',
      apiKey: 'test',
      apiKeyRequestHeader: 'x-key',
      from: '+15551230000',
      idPath: 'id',
    },
  },
];

interface Provider {
  readonly id: string;
  readonly channel: string;
  readonly canSend: boolean;
  readonly credentials: readonly { readonly key: string; readonly required: boolean; readonly type: string }[];
}

/** Prepares what tests give, and asks for dry runs. */
export class StageClient {
  private readonly connected = new Set<string>();
  private tenants = new Map<string, object>();
  private workflowIds = new Map<string, string>();
  private applicationIdentifier = '';

  constructor(private readonly stage: Stage) {}

  async open(tenants: readonly string[]): Promise<void> {
    this.stage.setTime(new Date(DEFAULT_TIME));
    const { identifier } = await this.call<{ identifier: string }>('GET', 'environments/me');
    this.applicationIdentifier = identifier;
    for (const integration of INTEGRATIONS) await this.integrate(integration);
    for (const tenant of tenants) await this.setTenant({ identifier: tenant });
  }

  /** Call after the workflows were pushed. */
  async readWorkflows(): Promise<void> {
    for (let page = 0; ; page += 1) {
      const rows = await this.call<{ id: string; definition: { identifier: string } }[]>(
        'GET',
        `definitions/workflows?page=${page}&limit=50`,
      );
      for (const { id, definition } of rows) this.workflowIds.set(definition.identifier, id);
      if (rows.length < 50) return;
    }
  }

  hasWorkflow(identifier: string): boolean {
    return this.workflowIds.has(identifier);
  }

  /** @throws {RefusedTest} */
  async dryRun(test: WorkflowTest): Promise<{ answer: DryRunAnswer; time: Date }> {
    const time = new Date(test.time ?? DEFAULT_TIME);
    this.stage.setTime(time);
    this.stage.answerWebhooks(test.webhooks ?? {});
    const given: NonNullable<WorkflowTest['subscriber']> = test.subscriber ?? DEFAULT_SUBSCRIBER;
    const { preferences, schedule, ...known } = given;
    const profile = { ...known, subscriberId: known.subscriberId ?? DEFAULT_SUBSCRIBER.subscriberId };
    const path = `subscribers/${encodeURIComponent(profile.subscriberId)}`;
    await this.connectChannels(known);
    await this.call('POST', 'subscribers', profile);
    try {
      if (preferences?.channels) await this.call('PATCH', `${path}/preferences`, switchesOf(preferences.channels));
      for (const [type, enabled] of Object.entries(preferences?.workflow ?? {})) {
        const id = this.workflowIds.get(test.workflow) ?? '';
        await this.call('PATCH', `${path}/preferences/${id}`, { channel: { type, enabled } });
      }
      if (schedule) await this.setSchedule(profile.subscriberId, schedule);
      const { tenant, actor, payload = {}, overrides } = test;
      if (tenant !== undefined) await this.setTenant(typeof tenant === 'string' ? { identifier: tenant } : tenant);
      const answer = await this.call<DryRunAnswer>('POST', 'events/trigger/dry-run', {
        name: test.workflow,
        to: profile.subscriberId,
        payload,
        ...(tenant !== undefined && { tenant: typeof tenant === 'string' ? tenant : tenant.identifier }),
        ...(actor !== undefined && { actor }),
        ...(overrides !== undefined && { overrides }),
      });
      return { answer, time };
    } finally {
      await this.call('DELETE', path);
    }
  }

  private async setSchedule(subscriberId: string, schedule: object): Promise<void> {
    const { applicationIdentifier } = this;
    const subscriberHash = createHmac('sha256', this.stage.apiKey).update(subscriberId).digest('hex');
    const session = { applicationIdentifier, subscriber: { subscriberId }, subscriberHash };
    const { token } = await this.call<{ token: string }>('POST', 'inbox/session', session);
    await this.call('PATCH', 'inbox/preferences', { schedule }, `Bearer ${token}`);
  }

  /** Every test finds the tenant as it gives it. */
  private async setTenant(tenant: { readonly identifier: string }): Promise<void> {
    const known = this.tenants.get(tenant.identifier);
    const { identifier, ...rest } = tenant as Record<string, unknown> & { identifier: string };
    const wanted = { name: identifier, data: {}, ...rest };
    if (isDeepStrictEqual(known, wanted)) return;
    if (known === undefined) await this.call('POST', 'tenants', { identifier, ...wanted });
    else await this.call('PATCH', `tenants/${encodeURIComponent(identifier)}`, wanted);
    this.tenants.set(identifier, wanted);
  }

  /** The providers that a subscriber has credentials for, with credentials that satisfy their form. */
  private async connectChannels(subscriber: Record<string, unknown>): Promise<void> {
    const { channels } = subscriber as { channels?: unknown };
    if (!Array.isArray(channels)) return;
    const ids = (channels as { providerId?: unknown }[]).map(({ providerId }) => String(providerId));
    const missing = ids.filter((id) => !this.connected.has(id));
    if (missing.length === 0) return;
    const providers = await this.call<Provider[]>('GET', 'integrations/providers');
    for (const { id, channel, canSend, credentials } of providers) {
      if (!missing.includes(id) || !canSend) continue;
      const values = credentials
        .filter(({ required }) => required)
        .map((field) => [field.key, sampleOf(field)] as const);
      await this.integrate({ providerId: id, channel, credentials: Object.fromEntries(values) });
    }
  }

  private async integrate(integration: {
    readonly providerId: string;
    readonly channel: string;
    credentials: object;
  }): Promise<void> {
    this.connected.add(integration.providerId);
    await this.call('POST', 'integrations', { ...integration, active: true, check: false });
  }

  private async call<T = unknown>(
    method: string,
    path: string,
    body?: object,
    authorization = `ApiKey ${this.stage.apiKey}`,
  ): Promise<T> {
    const response = await fetch(`${this.stage.url}/v1/${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (response.status === 204 ? {} : await response.json()) as { data?: T; message?: string | string[] };
    if (!response.ok) throw new RefusedTest([answer.message ?? response.statusText].flat());
    return answer.data as T;
  }
}

function switchesOf(channels: Readonly<Record<string, boolean>>): object {
  return { preferences: Object.entries(channels).map(([type, enabled]) => ({ type, enabled })) };
}

function sampleOf({ key, type }: Provider['credentials'][number]): unknown {
  if (type === 'boolean') return false;
  if (type === 'object') return {};
  if (type === 'number-string') return '1';
  return /url|host/i.test(key) ? 'https://provider.example.com' : 'test';
}
