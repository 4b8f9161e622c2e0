import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ChannelRegistry, createOperatorMail, type EmailMessage, ProviderError } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { type IntegrationCredentials, IntegrationsService } from '../../channels/integrations/index.js';
import type { Membership } from './user.schema.js';
import type { MailOutcome } from './users.response.js';

export interface LinkMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly url: string;
}

export interface MailResult {
  readonly mail: MailOutcome;
  readonly mailError?: string;
}

interface Way {
  readonly registry: ChannelRegistry;
  readonly providerId: string;
  readonly credentials: IntegrationCredentials;
  readonly from: string;
}

/**
 * A link makes whoever reads it an owner, so it never goes through what others than owners can change. An integration that an owner
 * has marked for it carries links that open nothing beyond its own environment; the server of the operator carries the others.
 * A link that cannot be sent is still valid.
 */
@Injectable()
export class LinkMails implements OnApplicationShutdown {
  private readonly timeoutMs: number;
  /** Made for the first mail. */
  private operator: ChannelRegistry | undefined;

  constructor(
    private readonly integrations: IntegrationsService,
    private readonly registry: ChannelRegistry,
    private readonly config: AppConfig,
  ) {
    this.timeoutMs = config.get('DELIVERY_TIMEOUT_MS');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.operator?.close();
  }

  /** @param opens the roles that the link gives or leads to */
  async send(opens: readonly Membership[], mail: LinkMail): Promise<MailResult> {
    const way = (await this.ownWay(opens)) ?? this.operatorsWay();
    if (way === undefined) return { mail: 'no_integration' };
    if (typeof way === 'string') return { mail: 'failed', mailError: way };
    const { registry, providerId, credentials, from } = way;
    const options = { credentials, idempotencyKey: mail.id, timeoutMs: this.timeoutMs };
    try {
      await registry.send('email', providerId, messageOf(mail, from, credentials['senderName']), options);
      return { mail: 'sent' };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { mail: 'failed', mailError: error.message };
    }
  }

  /** Why it cannot be sent, in words, if the marked integration is not fit for it. */
  private async ownWay(opens: readonly Membership[]): Promise<Way | string | undefined> {
    const [environmentId, ...others] = new Set(opens.map(({ _environmentId }) => _environmentId.toHexString()));
    if (environmentId === undefined || others.length > 0) return undefined;
    const integration = await this.integrations.forSystemMail({ environmentId });
    if (integration === undefined) return undefined;
    const { credentials, credentialsError, providerId } = integration;
    const from = credentials['from'];
    if (credentialsError !== undefined || typeof from !== 'string')
      return credentialsError ?? "The integration has no sender address 'from'.";
    return { registry: this.registry, providerId, credentials, from };
  }

  private operatorsWay(): Way | undefined {
    const [server, from] = [this.config.get('SYSTEM_MAIL_URL'), this.config.get('SYSTEM_MAIL_FROM')];
    if (server === undefined || from === undefined) return undefined;
    this.operator ??= createOperatorMail();
    return { registry: this.operator, providerId: 'nodemailer', credentials: { ...server }, from };
  }
}

function messageOf({ id, to, subject, text, url }: LinkMail, from: string, senderName: unknown): EmailMessage {
  return {
    channel: 'email',
    id,
    to: [to],
    from,
    ...(typeof senderName === 'string' && { senderName }),
    subject,
    text: `${text}\n\n${url}\n`,
    html: `<p>${escaped(text)}</p><p><a href="${escaped(url)}">${escaped(url)}</a></p>`,
  };
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
