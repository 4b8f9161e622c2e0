import { Injectable } from '@nestjs/common';
import { type ChatAddress, type ChatMessage, escapeValue, findProvider } from '#libs/channels';
import { withoutMarks } from '#libs/templates';
import { DETAIL } from '../../../execution-details/index.js';
import type { ActiveIntegration } from '../../../../channels/integrations/index.js';
import type { RunTemplate } from '../../records/workflow-version.js';
import type { StepContent, StepTask } from '../../run/step-handler.js';
import { ChatExtras } from './chat-extras.js';
import { IntegrationRoutes, type ServedEntry } from '../integration-routes.js';
import { overridesOf, providerOverrides, severityOf } from '../overrides.js';
import type { Addresses, ProviderChannel, Target, Unreachable } from '../provider-channel.js';
import { MessageRendering } from '../message-rendering.js';
import { renderText, type TextContent } from '../render-text.js';

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
    private readonly rendering: MessageRendering,
    private readonly extras: ChatExtras,
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
    const standIn = found.length === 0 ? await this.routes.standIn(task, 'chat') : undefined;
    if (standIn !== undefined) found.push(this.fromEntry(task, content, standIn));
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
    if (entry.providerId === WHATSAPP) {
      const { phone } = run.facts.subscriber;
      return phone === undefined || phone === '' ? noPhone(key) : this.byPhone(task, content, integration, phone, key);
    }
    const { webhookUrl, isKnown } = addressOf(task, entry);
    if (!isKnown) return noAddress(key, entry.providerId);
    const { email } = run.facts.subscriber;
    const severity = severityOf(run);
    return {
      key,
      integrations: [integration],
      record: {
        content: textFor(task, content, integration.providerId),
        ...(webhookUrl !== undefined && { directWebhookUrl: webhookUrl }),
      },
      ...((webhookUrl ?? entry.credentials.webhookUrl) === entry.credentials.webhookUrl && { entry }),
      compose: async (chosen, id): Promise<ChatMessage> => {
        const message: ChatMessage = {
          channel: 'chat',
          id,
          content: textFor(task, content, chosen.providerId),
          ...(webhookUrl !== undefined && { webhookUrl }),
          ...(email && { email }),
          ...(severity !== undefined && { severity }),
          customData: providerOverrides(overridesOf(task), 'chat', chosen.providerId),
          subscriberCredentials: entry.credentials,
        };
        return { ...message, ...(await this.extras.of(task, key, chosen, message)) };
      },
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
    task: StepTask,
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
        customData: providerOverrides(overridesOf(task), 'chat', providerId),
      }),
    };
  }
}

/** What an author has written is markup of the provider, and values are not. */
function textFor(task: StepTask, { marked }: TextContent, providerId: string): string {
  const provider = findProvider(providerId, 'chat');
  const fields = providerOverrides(overridesOf(task), 'chat', providerId);
  return withoutMarks(marked, (value) => escapeValue(provider, value, fields));
}

const BY_WEBHOOK: readonly ChatAddress[] = ['webhookUrl'];

function addressesOf(providerId: string): readonly ChatAddress[] {
  return findProvider(providerId, 'chat')?.address ?? BY_WEBHOOK;
}

function addressOf(
  { run }: StepTask,
  { providerId, credentials }: ServedEntry['entry'],
): { readonly webhookUrl: string | undefined; readonly isKnown: boolean } {
  const accepted = addressesOf(providerId);
  const given = run.event.payload['webhookUrl'];
  const known: Record<ChatAddress, string | boolean | undefined> = {
    webhookUrl: (typeof given === 'string' && given) || credentials.webhookUrl,
    channel: credentials.channel,
    email: run.facts.subscriber.email,
    phone: run.facts.subscriber.phone,
    integration: true,
  };
  const webhookUrl = accepted.includes('webhookUrl') && typeof known.webhookUrl === 'string' ? known.webhookUrl : '';
  return { webhookUrl: webhookUrl || undefined, isKnown: accepted.some((kind) => Boolean(known[kind])) };
}

function noAddress(key: string, providerId: string): Unreachable {
  const accepted = addressesOf(providerId);
  const isWebhook = accepted.includes('webhookUrl');
  const names = { webhookUrl: 'webhook URL', channel: 'channel', email: 'email address', phone: 'phone number' };
  const missing = accepted.flatMap((kind) => (kind === 'integration' ? [] : [names[kind]])).join(' or ');
  return {
    key,
    detail: isWebhook ? DETAIL.webhookUrlMissing : DETAIL.noChannelDetails,
    reason: 'no_address',
    error: `The subscriber has no ${missing} for '${providerId}'.`,
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
