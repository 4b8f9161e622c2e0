import { Injectable } from '@nestjs/common';
import { type EmailMessage, ProviderError } from '#libs/channels';
import { type EmailLayout, type RenderedEmail, TemplateError } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import { type ActiveIntegration, composerOf } from '../../../management/integrations/index.js';
import { LayoutNotFound, LayoutsService } from '../../../management/layouts/index.js';
import { isWithoutContent } from '../../../management/workflows/index.js';
import { AttachmentStore } from '../records/attachments.js';
import type { RunTemplate } from '../records/workflow-version.js';
import { tenantOf } from '../run/run.js';
import type { StepContent, StepTask } from '../run/step-handler.js';
import { readMailbox } from './addresses.js';
import { IntegrationRoutes, noIntegration } from './integration-routes.js';
import { MailTracking } from './mail-tracking.js';
import { MessageRendering } from './message-rendering.js';
import { channelOverrides, chosenLayout, recordAt, textAt, textsAt, without } from './overrides.js';
import {
  type Addresses,
  type MessageContentFields,
  type ProviderChannel,
  type RenderedContent,
  StepFailure,
} from './provider-channel.js';
import { noteSuppressed, SuppressionGate } from './suppression-gate.js';
import { noteMissingValues, recipientLinks } from './template-variables.js';

const NO_ADDRESS = 'Subscriber does not have an email address';

interface Recipient {
  readonly address: string | undefined;
  /** Where there is no address. */
  readonly error: string;
  readonly isSuppressed?: boolean;
}

interface EmailContent extends RenderedContent {
  readonly email: RenderedEmail;
}

@Injectable()
export class EmailChannel implements ProviderChannel<EmailContent> {
  readonly channel = 'email' as const;
  readonly errorId = 'mail_unexpected_error';
  readonly namesProvider = false;

  constructor(
    private readonly routes: IntegrationRoutes,
    private readonly layouts: LayoutsService,
    private readonly attachments: AttachmentStore,
    private readonly rendering: MessageRendering,
    private readonly tracking: MailTracking,
    private readonly suppressed: SuppressionGate,
  ) {}

  async render(task: StepTask, template: RunTemplate): Promise<EmailContent> {
    const { run } = task;
    assertContent(template, run.event.overrides);
    const layout = await this.layoutOf(task, template);
    noteMissingValues(task, template, layout);
    const email = await this.rendering.email(
      task,
      template,
      {
        content: template.content ?? '',
        contentType: template.contentType ?? 'editor',
        ...(template.subject !== undefined && { subject: template.subject }),
        ...(template.preheader !== undefined && { preheader: template.preheader }),
        ...(template.senderName !== undefined && { senderName: template.senderName }),
        branding: run.facts.branding,
      },
      layout,
    );
    const shown = shownOf(channelOverrides(run.event.overrides, 'email'));
    return { email, record: { subject: email.subject, content: email.content, ...shown } };
  }

  contentOf({ email: { subject, preheader, senderName, html, text } }: EmailContent): StepContent {
    return { subject, preheader, senderName, content: html, text };
  }

  /** The layout of the trigger, else that of the step. @throws {StepFailure} when the trigger names one that does not exist */
  private async layoutOf({ run }: StepTask, { _layoutId }: RunTemplate): Promise<EmailLayout | undefined> {
    const tenant = tenantOf(run.event);
    const identifier = chosenLayout(run.event.overrides);
    if (identifier !== undefined) {
      const found = await this.layouts.findByIdentifier(tenant, identifier);
      if (found) return found;
      throw new StepFailure(DETAIL.layoutNotFound, 'layout_not_found', `There is no layout '${identifier}'.`);
    }
    if (_layoutId === undefined) return undefined;
    try {
      return await this.layouts.get(tenant, _layoutId);
    } catch (error) {
      // A layout that was deleted since leaves the mail without one.
      if (error instanceof LayoutNotFound) return undefined;
      throw error;
    }
  }

  async address(task: StepTask, { email }: EmailContent): Promise<Addresses> {
    const { run } = task;
    const integrations = await this.routes.choose(task, 'email');
    if (integrations.length === 0) {
      const error = noIntegration(task, 'email');
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noActiveIntegration, reason: 'no_active_integration', error }],
      };
    }
    for (const { providerId } of integrations.map(composerOf))
      checkOverrides(channelOverrides(run.event.overrides, 'email', providerId));
    const { address, error } = await this.recipient(task);
    if (address === undefined) {
      const message = { errorId: this.errorId };
      const raw = { error };
      const isMissing = error === NO_ADDRESS;
      return {
        targets: [],
        unreachable: [
          { key: '', detail: DETAIL.noChannelDetails, reason: 'no_address', error, isMissing, raw, message },
        ],
      };
    }
    return {
      targets: [
        {
          key: '',
          integrations,
          record: { email: address },
          compose: (integration, id) => this.compose(task, email, address, integration, id),
        },
      ],
      unreachable: [],
    };
  }

  private async recipient(task: StepTask): Promise<Recipient> {
    const own = addressOf(task);
    if (own.isSuppressed === true) noteSuppressed(task, 'email');
    if (own.address === undefined) return own;
    const reason = await this.suppressed.reasonFor(task, 'email', own.address);
    return reason === undefined ? own : { address: undefined, error: `The email address is suppressed: ${reason}` };
  }

  shown({ run }: StepTask, { providerId }: ActiveIntegration): MessageContentFields | undefined {
    const { overrides } = run.event;
    return Object.hasOwn(overrides, providerId) ? shownOf(channelOverrides(overrides, 'email', providerId)) : undefined;
  }

  private async compose(
    task: StepTask,
    rendered: RenderedEmail,
    address: string,
    integration: ActiveIntegration,
    id: string,
  ): Promise<EmailMessage> {
    const { event } = task.run;
    const { credentials, providerId } = integration;
    const over = channelOverrides(event.overrides, 'email', providerId);
    const sender = readMailbox(textAt(over, 'from') ?? textAt(credentials, 'from') ?? '');
    if (sender === undefined) {
      const details = { code: 'credentials_incomplete', retryable: false } as const;
      throw new ProviderError("The integration has no sender address. Set one as 'from' in its credentials.", details);
    }
    const files = await this.attachments.load(event, 'email');
    const own = textAt(over, 'from') === undefined ? undefined : sender.name;
    const senderName =
      textAt(over, 'senderName') ?? own ?? (rendered.senderName || textAt(credentials, 'senderName') || sender.name);
    const text = textAt(over, 'text') ?? (textAt(over, 'html') === undefined ? rendered.text : undefined);
    // Some providers refuse a mail that names an address twice.
    const to = without([address, ...addressesAt(over, 'to')], []);
    const cc = without(addressesAt(over, 'cc'), to);
    const bcc = without(addressesAt(over, 'bcc'), [...to, ...cc]);
    const [replyTo] = addressesAt(over, 'replyTo');
    const html = textAt(over, 'html') ?? textAt(over, 'text') ?? rendered.html;
    return {
      channel: 'email',
      id,
      to,
      from: sender.address,
      subject: textAt(over, 'subject') ?? rendered.subject,
      html: await this.tracking.applied(task, integration, html),
      ...(text !== undefined && { text }),
      ...(senderName && { senderName }),
      ...optional('cc', cc),
      ...optional('bcc', bcc),
      ...(replyTo !== undefined && { replyTo }),
      ...headersOf(task, over),
      ...(recordAt(over, 'customData') && { customData: recordAt(over, 'customData') ?? {} }),
      ...(textAt(over, 'ipPoolName') !== undefined && { ipPoolName: textAt(over, 'ipPoolName') ?? '' }),
      ...(files.length > 0 && { attachments: files }),
    };
  }
}

function shownOf(over: Record<string, unknown>): Pick<MessageContentFields, 'subject' | 'content'> {
  const subject = textAt(over, 'subject');
  const content = textAt(over, 'html') ?? textAt(over, 'text');
  return { ...(subject !== undefined && { subject }), ...(content !== undefined && { content }) };
}

/** The address of the overrides wins, then that of the payload; an address with a hard bounce is not used again. */
function addressOf({ run }: StepTask): Recipient {
  const { subscriber } = run.facts;
  const given = textAt(channelOverrides(run.event.overrides, 'email'), 'toRecipient') ?? run.event.payload['email'];
  const bad = subscriber.badAddresses.email;
  const isOther = typeof given === 'string' && given.trim() !== '' && !isSameAddress(given, subscriber.email);
  if (isOther || (bad === undefined && typeof given === 'string' && given.trim() !== ''))
    return oneAddress(given, 'payload.email or overrides.email.toRecipient');
  if (bad !== undefined) {
    const error = `The subscriber's email address bounced: ${bad.reason}`;
    return { address: undefined, error, isSuppressed: true };
  }
  return subscriber.email
    ? oneAddress(subscriber.email, "the subscriber's email")
    : { address: undefined, error: NO_ADDRESS };
}

function isSameAddress(given: string, own: string | undefined): boolean {
  return readMailbox(given)?.address.toLowerCase() === own?.toLowerCase();
}

function oneAddress(text: string, place: string): Recipient {
  return { address: readMailbox(text)?.address, error: `${place} is not one email address.` };
}

const ADDRESS_KEYS = ['to', 'cc', 'bcc', 'replyTo', 'from'];

/** @throws {StepFailure} when an entry is no address, or could be taken for several */
function checkOverrides(over: Record<string, unknown>): void {
  const faults = ADDRESS_KEYS.flatMap((key) => {
    const wrong = textsAt(over, key).some((text) => readMailbox(text) === undefined);
    return wrong ? [`overrides.email.${key} has an entry that is not one email address`] : [];
  });
  if (faults.length === 0) return;
  throw new StepFailure(
    DETAIL.noChannelDetails,
    'invalid_address',
    `${faults.join('; ')}. Use a list for several ones.`,
  );
}

function addressesAt(over: Record<string, unknown>, key: string): string[] {
  return textsAt(over, key).flatMap((text) => readMailbox(text)?.address ?? []);
}

function optional<K extends string>(key: K, values: string[]): Partial<Record<K, string[]>> {
  return values.length > 0 ? ({ [key]: values } as Record<K, string[]>) : {};
}

/** The request has made sure that only null is left out. */
function headersOf(task: StepTask, over: Record<string, unknown>): { headers?: Record<string, string> } {
  const headers = recordAt(over, 'headers') ?? {};
  const own = Object.keys(headers).some((name) => /^list-unsubscribe/i.test(name)) ? {} : unsubscribeHeaders(task);
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, onOneLine(String(value))] as const]
      : [],
  );
  const all = { ...own, ...Object.fromEntries(texts) };
  return Object.keys(all).length > 0 ? { headers: all } : {};
}

/** One click, as RFC 8058 has it. */
function unsubscribeHeaders(task: StepTask): Record<string, string> {
  const { workflow, event } = task.run;
  if (workflow.unsubscribe === 'off' || event.test !== undefined) return {};
  const { unsubscribeUrl } = recipientLinks(task);
  if (unsubscribeUrl === undefined) return {};
  return { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function onOneLine(text: string): string {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(' ');
}

/** Steps that are saved now have content. @throws {TemplateError} for older ones that nothing would be sent of but the frame */
function assertContent(template: RunTemplate, overrides: Readonly<Record<string, unknown>>): void {
  if (!isWithoutContent(template)) return;
  const isReplaced = Object.keys(overrides).some((key) => {
    const over = recordAt(overrides, key) ?? {};
    return (textAt(over, 'html') ?? textAt(over, 'text')) !== undefined;
  });
  if (!isReplaced)
    throw new TemplateError('the step has no content. Give it blocks or HTML with PUT /v1/workflows/{workflowId}');
}
