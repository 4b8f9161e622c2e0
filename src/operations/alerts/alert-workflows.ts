import { Injectable } from '@nestjs/common';
import type { TenantContext } from '#libs/common';
import type { Channel } from '#libs/channels';
import { IntegrationsService } from '../../channels/integrations/index.js';
import {
  type WorkflowDefinitionDto,
  WorkflowDefinitionsService,
  WorkflowsService,
} from '../../content/workflows/index.js';
import { EnvironmentsService } from '../../platform/environments/index.js';

export const ALERT_WORKFLOW = 'herald-alert';
export const REPORT_WORKFLOW = 'herald-daily-report';
export const WORKFLOWS = [ALERT_WORKFLOW, REPORT_WORKFLOW] as const;

/** Mails come last: of all messages, they can wait best for a provider that is down, and nothing waits behind them. */
const CHANNEL_ORDER = ['in_app', 'chat', 'push', 'sms', 'email'] as const satisfies readonly Channel[];

type Step = WorkflowDefinitionDto['steps'][number];

interface Words {
  readonly subject: string;
  readonly text: string;
  /** Paragraphs of a mail. */
  readonly paragraphs: readonly string[];
}

/** In the zone of the reader, or UTC. */
const time = (value: string, subscriber = 'subscriber'): string =>
  `{{dateFormat ${value} "d MMMM yyyy, HH:mm" timeZone=${subscriber}.timezone}}`;

const ALERT_WORDS: Words = {
  subject: '{{title}}',
  text: '{{title}}. {{text}}',
  paragraphs: ['<b>{{title}}</b>', '{{text}}', `Since ${time('since')}.`],
};

const REPORT_WORDS: Words = {
  subject: 'Yesterday: {{sent}} sent, {{failed}} failed',
  text: 'In 24 hours: {{sent}} sent, {{failed}} failed, {{deadLetters}} not delivered.',
  paragraphs: [
    `<b>From ${time('from')} to ${time('to')}</b>`,
    'Messages: {{sent}} sent, {{delivered}} delivered as far as providers report it, {{read}} read, {{failed}} failed.',
    'Notifications: {{runs}}, of which {{failedRuns}} failed. Not delivered, and to be replayed: {{deadLetters}}.',
    `{{#each incidents}}{{title}}, since ${time('since', '../subscriber')}.<br>{{else}}Nothing is wrong now.{{/each}}`,
  ],
};

/** The two workflows that tell people. They are the team's: once they are there, Herald changes nothing in them. */
@Injectable()
export class AlertWorkflows {
  constructor(
    private readonly workflows: WorkflowsService,
    private readonly definitions: WorkflowDefinitionsService,
    private readonly integrations: IntegrationsService,
    private readonly environments: EnvironmentsService,
  ) {}

  /** Makes those that are missing. @throws {EnvironmentReadOnly} where they can only be promoted */
  async ensure(tenant: TenantContext): Promise<void> {
    const known = await this.ids(tenant);
    const missing = WORKFLOWS.filter((identifier) => !known.has(identifier));
    if (missing.length === 0) return;
    await this.environments.assertWritable(tenant.environmentId);
    const channels = await this.channels(tenant);
    for (const identifier of missing) await this.definitions.provide(tenant, draftOf(identifier, channels));
  }

  /** Record ids by identifier. */
  async ids(tenant: TenantContext): Promise<Map<string, string>> {
    const found = await Promise.all(WORKFLOWS.map((identifier) => this.workflows.resolve(tenant, identifier)));
    return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.identifier, one.id] as const])));
  }

  private async channels(tenant: TenantContext): Promise<Channel[]> {
    const active = new Set((await this.integrations.listActive(tenant)).map(({ channel }) => channel));
    return CHANNEL_ORDER.filter((channel) => channel === 'in_app' || active.has(channel));
  }
}

function draftOf(
  identifier: (typeof WORKFLOWS)[number],
  channels: readonly Channel[],
): Pick<WorkflowDefinitionDto, 'identifier' | 'name' | 'description' | 'active' | 'tags' | 'steps'> {
  const shared = { identifier, active: true, tags: ['herald'] };
  if (identifier === REPORT_WORKFLOW) {
    const description = 'What was sent in 24 hours, and what is wrong. Herald triggers it once a day.';
    return { ...shared, name: 'Herald daily report', description, steps: channelSteps(channels, REPORT_WORDS) };
  }
  return {
    ...shared,
    name: 'Herald alert',
    description: 'Something is wrong with deliveries, or is well again. Herald triggers it.',
    steps: [LIMIT, ...channelSteps(channels, ALERT_WORDS)],
  };
}

/** A provider that comes and goes may not flood anybody, and hides nothing else. */
const LIMIT: Step = {
  uuid: 'limit',
  name: 'At most ten an hour about the same',
  template: { type: 'throttle' },
  metadata: { amount: 1, unit: 'hours', threshold: 10, throttleKey: 'about' },
};

/** A step whose providers are all down is skipped while a later one is left: it would hold that up. */
function channelSteps(channels: readonly Channel[], words: Words): Step[] {
  return channels.map((channel, place): Step => {
    const canBeSkipped = channel !== 'in_app' && place < channels.length - 1;
    return {
      uuid: channel.replace('_', '-'),
      template: templateOf(channel, words),
      ...(canBeSkipped && {
        filters: [{ children: [{ on: 'payload', field: `away.${channel}`, operator: 'NOT_EQUAL', value: 'true' }] }],
      }),
    };
  });
}

function templateOf(channel: Channel, { subject, text, paragraphs }: Words): Step['template'] {
  switch (channel) {
    case 'email':
      return { type: 'email', subject, content: paragraphs.map((content) => ({ type: 'text', content })) };
    case 'push':
      return { type: 'push', title: subject, content: text };
    default:
      return { type: channel, content: text };
  }
}
