import { Injectable } from '@nestjs/common';
import type { ChatMessage } from '#libs/channels';
import { Rendering } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import type { ActiveIntegration } from '../../../management/integrations/index.js';
import type { RunTemplate } from '../records/workflow-version.js';
import type { StepContent, StepTask } from '../run/step-handler.js';
import { IntegrationRoutes, type ServedEntry } from './integration-routes.js';
import { providerOverrides } from './overrides.js';
import type { Addresses, ProviderChannel, Target, Unreachable } from './provider-channel.js';
import { renderText, type TextContent } from './template-variables.js';

const WHATSAPP = 'whatsapp-business';

/** Chat: each of the subscriber's entries has its own outcome. */
@Injectable()
export class ChatChannel implements ProviderChannel<TextContent> {
  readonly channel = 'chat' as const;
  readonly errorId = 'unexpected_chat_error';
  readonly allFailed = DETAIL.chatAllFailed;
  readonly namesProvider = false;

  constructor(
    private readonly routes: IntegrationRoutes,
    private readonly rendering: Rendering,
  ) {}

  render(task: StepTask, template: RunTemplate): Promise<TextContent> {
    return renderText(this.rendering, 'chat', task, template);
  }

  contentOf({ text }: TextContent): StepContent {
    return { content: text };
  }

  async address(task: StepTask, content: TextContent): Promise<Addresses> {
    const served = await this.routes.entriesOf(task, 'chat');
    const found = served.map((entry) => this.fromEntry(task, content, entry));
    const whatsApp = await this.whatsApp(task, content);
    if (whatsApp !== undefined && !served.some(({ entry }) => entry.providerId === WHATSAPP)) found.push(whatsApp);
    const targets = found.filter((one): one is Target => 'compose' in one);
    const unreachable = found.filter((one): one is Unreachable => !('compose' in one));
    if (found.length > 0) return { targets, unreachable };
    const error = 'The subscriber has no chat channel.';
    const detail = DETAIL.noActiveChannel;
    return { targets, unreachable: [{ key: '', detail, reason: 'no_channel', error, isMissing: true }] };
  }

  private fromEntry(
    task: StepTask,
    content: TextContent,
    { entry, key, integration }: ServedEntry,
  ): Target | Unreachable {
    if (integration === undefined) {
      const { providerId } = entry;
      const error = `No active integration of '${providerId}' is there to send with.`;
      const raw = { providerId, reason: error };
      return { key, detail: DETAIL.noActiveIntegration, providerId, reason: 'no_active_integration', error, raw };
    }
    const { run } = task;
    const given = run.event.payload['webhookUrl'];
    const webhookUrl = (typeof given === 'string' && given) || entry.credentials.webhookUrl || undefined;
    if (entry.providerId === WHATSAPP) {
      const { phone } = run.facts.subscriber;
      return phone === undefined || phone === '' ? noPhone(key) : this.byPhone(task, content, integration, phone, key);
    }
    if (webhookUrl === undefined) return noWebhookUrl(key, entry.providerId);
    return {
      key,
      integrations: [integration],
      record: { directWebhookUrl: webhookUrl },
      compose: ({ providerId }, id): ChatMessage => ({
        channel: 'chat',
        id,
        content: content.text,
        webhookUrl,
        customData: providerOverrides(run.event.overrides, 'chat', providerId),
        subscriberCredentials: entry.credentials,
      }),
    };
  }

  /** Reached by the phone number, so it needs no entry: only an integration. */
  private async whatsApp(task: StepTask, content: TextContent): Promise<Target | Unreachable | undefined> {
    const integration = await this.routes.ofProvider(task, 'chat', WHATSAPP);
    if (integration === undefined) return undefined;
    const { phone } = task.run.facts.subscriber;
    if (phone === undefined || phone === '') return noPhone(WHATSAPP);
    return this.byPhone(task, content, integration, phone, WHATSAPP);
  }

  private byPhone(
    { run }: StepTask,
    content: TextContent,
    integration: ActiveIntegration,
    phone: string,
    key: string,
  ): Target {
    return {
      key,
      integrations: [integration],
      record: { phone },
      compose: ({ providerId }, id): ChatMessage => ({
        channel: 'chat',
        id,
        content: content.text,
        phone,
        customData: providerOverrides(run.event.overrides, 'chat', providerId),
      }),
    };
  }
}

function noWebhookUrl(key: string, providerId: string): Unreachable {
  return {
    key,
    detail: DETAIL.webhookUrlMissing,
    reason: 'no_address',
    error: `The subscriber has no webhook URL for '${providerId}'.`,
    isMissing: true,
    raw: { providerId },
    message: { errorId: 'no_subscriber_chat_channel_id', providerId },
  };
}

function noPhone(key: string): Unreachable {
  return {
    key,
    detail: DETAIL.missingPhone,
    providerId: WHATSAPP,
    reason: 'no_address',
    error: 'The subscriber has no phone number.',
    isMissing: true,
    message: { errorId: 'no_subscriber_chat_phone_number', providerId: WHATSAPP },
  };
}
