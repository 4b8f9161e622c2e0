import { Inject, Injectable } from '@nestjs/common';
import { type EmailMessage, ProviderError } from '#libs/channels';
import { type RenderedEmail, type Renderer, renderEmail } from '#libs/templates';
import { DETAIL } from '../../execution-details/index.js';
import type { ActiveIntegration } from '../../integrations/index.js';
import type { NewMessage } from '../../messages/index.js';
import { AttachmentStore } from '../accept/attachment-store.js';
import { RENDERER } from '../delivery.tokens.js';
import { channelOverrides } from '../run/overrides-of.js';
import { templateVariables } from '../run/payload-of.js';
import type { RunTemplate } from '../run/run-workflow.js';
import type { StepTask } from '../steps/step-handler.js';
import type { Addresses, ChannelShape, RenderedContent } from './channel-shape.js';
import { IntegrationChooser, noIntegration } from './integration-chooser.js';
import { LayoutChooser } from './layout-chooser.js';
import { textAt, textsAt, recordAt, without } from './override-values.js';

const NO_ADDRESS = 'Subscriber does not have an email address';

interface EmailContent extends RenderedContent {
  readonly email: RenderedEmail;
}

/** Mail (delivery-behaviour 4.4). */
@Injectable()
export class EmailShape implements ChannelShape<EmailContent> {
  readonly channel = 'email' as const;
  readonly errorId = 'mail_unexpected_error';
  readonly namesProvider = false;

  constructor(
    private readonly chooser: IntegrationChooser,
    private readonly layouts: LayoutChooser,
    private readonly attachments: AttachmentStore,
    @Inject(RENDERER) private readonly renderer: Renderer,
  ) {}

  async render(task: StepTask, template: RunTemplate): Promise<EmailContent> {
    const { run } = task;
    const layout = await this.layouts.choose(task, template);
    const email = await renderEmail(
      {
        content: template.content ?? '',
        contentType: template.contentType ?? 'editor',
        ...(template.subject !== undefined && { subject: template.subject }),
        ...(template.preheader !== undefined && { preheader: template.preheader }),
        ...(template.senderName !== undefined && { senderName: template.senderName }),
        ...(layout && { layout }),
        branding: run.facts.branding,
        context: templateVariables(run),
      },
      this.renderer,
    );
    return {
      email,
      record: {
        subject: email.subject,
        content: email.content,
        ...shownOf(channelOverrides(run.event.overrides, 'email')),
        payload: run.event.payload,
        overrides: run.event.overrides,
      },
    };
  }

  async address(task: StepTask, { email }: EmailContent): Promise<Addresses> {
    const { run } = task;
    const integrations = await this.chooser.choose(task, 'email');
    if (integrations.length === 0) {
      const error = noIntegration(task, 'email');
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noActiveIntegration, reason: 'no_active_integration', error }],
      };
    }
    const { address, error } = addressOf(task);
    if (address === undefined) {
      const message = { errorId: this.errorId };
      const raw = { error };
      return {
        targets: [],
        unreachable: [{ key: '', detail: DETAIL.noChannelDetails, reason: 'no_address', error, raw, message }],
      };
    }
    return {
      targets: [
        {
          key: '',
          integrations,
          record: { email: address },
          compose: (integration, id) => this.compose(run.event, email, address, integration, id),
        },
      ],
      unreachable: [],
    };
  }

  shown({ run }: StepTask, { providerId }: ActiveIntegration): Partial<NewMessage> | undefined {
    const { overrides } = run.event;
    return Object.hasOwn(overrides, providerId) ? shownOf(channelOverrides(overrides, 'email', providerId)) : undefined;
  }

  private async compose(
    event: StepTask['run']['event'],
    rendered: RenderedEmail,
    address: string,
    { credentials, providerId }: ActiveIntegration,
    id: string,
  ): Promise<EmailMessage> {
    const over = channelOverrides(event.overrides, 'email', providerId);
    const from = textAt(over, 'from') ?? textAt(credentials, 'from');
    if (from === undefined) {
      const details = { code: 'credentials_incomplete', retryable: false } as const;
      throw new ProviderError("The integration has no sender address. Set 'from' in its credentials.", details);
    }
    const files = await this.attachments.load(event, 'email');
    const senderName = textAt(over, 'senderName') ?? (rendered.senderName || textAt(credentials, 'senderName'));
    const text = textAt(over, 'text') ?? (textAt(over, 'html') === undefined ? rendered.text : undefined);
    // Some providers refuse a mail that names an address twice.
    const to = without([address, ...textsAt(over, 'to')], []);
    const cc = without(textsAt(over, 'cc'), to);
    const bcc = without(textsAt(over, 'bcc'), [...to, ...cc]);
    return {
      channel: 'email',
      id,
      to,
      from,
      subject: textAt(over, 'subject') ?? rendered.subject,
      html: textAt(over, 'html') ?? textAt(over, 'text') ?? rendered.html,
      ...(text !== undefined && { text }),
      ...(senderName && { senderName }),
      ...optional('cc', cc),
      ...optional('bcc', bcc),
      ...(textAt(over, 'replyTo') !== undefined && { replyTo: textAt(over, 'replyTo') ?? '' }),
      ...headersOf(over),
      ...(recordAt(over, 'customData') && { customData: recordAt(over, 'customData') ?? {} }),
      ...(textAt(over, 'ipPoolName') !== undefined && { ipPoolName: textAt(over, 'ipPoolName') ?? '' }),
      ...(files.length > 0 && { attachments: files }),
    };
  }
}

/** What overrides put in the place of what was rendered, as it is sent. */
function shownOf(over: Record<string, unknown>): Pick<NewMessage, 'subject' | 'content'> {
  const subject = textAt(over, 'subject');
  const content = textAt(over, 'html') ?? textAt(over, 'text');
  return { ...(subject !== undefined && { subject }), ...(content !== undefined && { content }) };
}

/** The address of the overrides wins, then that of the payload; one that bounced for good is not used again. */
function addressOf({ run }: StepTask): { readonly address: string | undefined; readonly error: string } {
  const { subscriber } = run.facts;
  const given = textAt(channelOverrides(run.event.overrides, 'email'), 'toRecipient') ?? run.event.payload['email'];
  if (typeof given === 'string' && given.trim() !== '') return { address: given.trim(), error: '' };
  const bad = subscriber.badAddresses.email;
  if (bad !== undefined) return { address: undefined, error: `The subscriber's email address bounced: ${bad.reason}` };
  return { address: subscriber.email || undefined, error: NO_ADDRESS };
}

function optional<K extends string>(key: K, values: string[]): Partial<Record<K, string[]>> {
  return values.length > 0 ? ({ [key]: values } as Record<K, string[]>) : {};
}

/** The request has made sure that only null is left out. */
function headersOf(over: Record<string, unknown>): { headers?: Record<string, string> } {
  const headers = recordAt(over, 'headers');
  if (headers === undefined) return {};
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[name, String(value)] as const]
      : [],
  );
  return texts.length > 0 ? { headers: Object.fromEntries(texts) } : {};
}
