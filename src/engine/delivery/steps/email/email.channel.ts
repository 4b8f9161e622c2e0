import { Injectable } from '@nestjs/common';
import {
  allProviders,
  type EmailMessage,
  findProvider,
  namesTemplate,
  type ProviderDeclaration,
  ProviderError,
  readMailbox,
} from '#libs/channels';
import {
  isWithoutContent,
  type EmailLayout,
  type PicturePlace,
  type RenderedEmail,
  TemplateError,
} from '#libs/templates';
import { DETAIL } from '../../../execution-details/index.js';
import { type ActiveIntegration, composerOf } from '../../../../channels/integrations/index.js';
import { LayoutNotFound, LayoutsService } from '../../../../content/layouts/index.js';
import type { RunTemplate } from '../../records/workflow-version.js';
import { tenantOf } from '../../run/run.js';
import type { StepContent, StepTask } from '../../run/step-handler.js';
import { type EmailRecipients, EmailRecipientReader, noteLeftOut } from './email-recipients.js';
import { IntegrationRoutes, noIntegration } from '../integration-routes.js';
import { MailFiles } from './mail-files.js';
import { MailTracking } from './mail-tracking.js';
import { MessageRendering } from '../message-rendering.js';
import { channelOverrides, chosenLayout, overridesOf, ownFields, recordAt, textAt } from '../overrides.js';
import {
  type Addresses,
  type MessageContentFields,
  type ProviderChannel,
  type RenderedContent,
  StepFailure,
} from '../provider-channel.js';
import { noteNotSent } from '../not-sent.js';
import { noteMissingValues, recipientLinks } from '../template-variables.js';

interface EmailContent extends RenderedContent {
  readonly email: RenderedEmail;
  readonly images: PicturePlace | undefined;
}

@Injectable()
export class EmailChannel implements ProviderChannel<EmailContent> {
  readonly channel = 'email' as const;
  readonly errorId = 'mail_unexpected_error';
  readonly namesProvider = false;

  constructor(
    private readonly routes: IntegrationRoutes,
    private readonly layouts: LayoutsService,
    private readonly files: MailFiles,
    private readonly rendering: MessageRendering,
    private readonly tracking: MailTracking,
    private readonly recipients: EmailRecipientReader,
  ) {}

  async render(task: StepTask, template: RunTemplate): Promise<EmailContent> {
    const { run } = task;
    const overrides = overridesOf(task);
    assertContent(template, overrides);
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
    const shown = shownOf(channelOverrides(overrides, 'email'));
    return { email, images: template.images, record: { subject: email.subject, content: email.content, ...shown } };
  }

  contentOf({ email: { subject, preheader, senderName, html, text } }: EmailContent): StepContent {
    return { subject, preheader, senderName, content: html, text };
  }

  /** The layout of the trigger, else that of the step. @throws {StepFailure} when the trigger names one that does not exist */
  private async layoutOf(task: StepTask, { _layoutId }: RunTemplate): Promise<EmailLayout | undefined> {
    const tenant = tenantOf(task.run.event);
    const identifier = chosenLayout(overridesOf(task));
    if (identifier === null) return undefined;
    if (identifier !== undefined) {
      const found = await this.layouts.findByKey(tenant, identifier);
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

  async address(task: StepTask, content: EmailContent): Promise<Addresses> {
    const integrations = await this.routes.choose(task, 'email');
    if (integrations.length === 0) {
      const error = noIntegration(task, 'email');
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noActiveIntegration, reason: 'no_active_integration', error }],
      };
    }
    const recipients = await this.recipients.read(task, integrations.map(composerOf));
    if (recipients.address === undefined) {
      const { error, isMissing } = recipients;
      const message = { errorId: this.errorId };
      const raw = { error };
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
          record: { email: recipients.address },
          compose: (integration, id) => this.compose(task, content, recipients, integration, id),
        },
      ],
      unreachable: [],
    };
  }

  shown(task: StepTask, { providerId }: ActiveIntegration): MessageContentFields | undefined {
    const overrides = overridesOf(task);
    return Object.hasOwn(overrides, providerId) ? shownOf(channelOverrides(overrides, 'email', providerId)) : undefined;
  }

  private async compose(
    task: StepTask,
    { email: rendered, images }: EmailContent,
    recipients: EmailRecipients,
    integration: ActiveIntegration,
    id: string,
  ): Promise<EmailMessage> {
    const { credentials, providerId } = integration;
    const over = channelOverrides(overridesOf(task), 'email', providerId);
    const sender = readMailbox(textAt(over, 'from') ?? textAt(credentials, 'from') ?? '');
    if (sender === undefined) {
      const details = { code: 'credentials_incomplete', retryable: false } as const;
      throw new ProviderError("The integration has no sender address. Set one as 'from' in its credentials.", details);
    }
    const named = textAt(over, 'from') === undefined ? undefined : sender.name;
    const own = ownFields(overridesOf(task), 'email', providerId);
    const senderName =
      textAt(over, 'senderName') ?? named ?? (rendered.senderName || textAt(credentials, 'senderName') || sender.name);
    const text = textAt(over, 'text') ?? (textAt(over, 'html') === undefined ? rendered.text : undefined);
    const found = recipients.of(providerId);
    noteLeftOut(task, found);
    const written = textAt(over, 'html') ?? textAt(over, 'text') ?? rendered.html;
    const linked = task.run.facts.links?.withPictures(written) ?? written;
    // With a template of the provider's own, this HTML is not sent.
    const isLinked = images !== 'inline' || namesStored(findProvider(providerId, 'email'), over);
    const mail = isLinked ? { html: linked, files: [] } : await this.files.withPictures(task, providerId, linked);
    const attachments = [...(await this.files.ofEvent(task)), ...mail.files];
    const message: EmailMessage = {
      channel: 'email',
      id,
      ...found.fields,
      from: sender.address,
      subject: textAt(over, 'subject') ?? rendered.subject,
      html: await this.tracking.applied(task, integration, mail.html),
      ...(text !== undefined && { text }),
      ...(senderName && { senderName }),
      ...headersOf(task, over, found.hasOthers),
      ...(recordAt(over, 'customData') && { customData: recordAt(over, 'customData') ?? {} }),
      ...(textAt(over, 'ipPoolName') !== undefined && { ipPoolName: textAt(over, 'ipPoolName') ?? '' }),
      ...(own !== undefined && { overrides: own }),
      ...(attachments.length > 0 && { attachments }),
    };
    noteNotSent(task, providerId, message);
    return message;
  }
}

function shownOf(over: Record<string, unknown>): Pick<MessageContentFields, 'subject' | 'content'> {
  const subject = textAt(over, 'subject');
  const content = textAt(over, 'html') ?? textAt(over, 'text');
  return { ...(subject !== undefined && { subject }), ...(content !== undefined && { content }) };
}

/** The request has made sure that only null is left out. */
function headersOf(
  task: StepTask,
  over: Record<string, unknown>,
  hasOthers: boolean,
): { headers?: Record<string, string> } {
  const headers = recordAt(over, 'headers') ?? {};
  const isReplaced = Object.keys(headers).some((name) => /^list-unsubscribe/i.test(name));
  // One click of somebody else who gets the mail would unsubscribe the subscriber.
  const own = isReplaced || hasOthers ? {} : unsubscribeHeaders(task);
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

/** Whether an override names a template that is stored at the provider. */
function namesStored(provider: ProviderDeclaration | undefined, over: Record<string, unknown>): boolean {
  const template = provider?.storedTemplate;
  return template !== undefined && namesTemplate({ ...over, ...recordAt(over, 'customData') }, template);
}

/** Steps that are saved now have content. @throws {TemplateError} for older ones that nothing would be sent of but the frame */
function assertContent(template: RunTemplate, overrides: Readonly<Record<string, unknown>>): void {
  if (!isWithoutContent(template)) return;
  const isReplaced = Object.keys(overrides).some((key) => {
    const over = recordAt(overrides, key) ?? {};
    const isStored = allProviders().some((provider) => namesStored(provider, over));
    return isStored || (textAt(over, 'html') ?? textAt(over, 'text')) !== undefined;
  });
  if (!isReplaced)
    throw new TemplateError('the step has no content. Give it blocks or HTML with PUT /v1/workflows/{workflowId}');
}
