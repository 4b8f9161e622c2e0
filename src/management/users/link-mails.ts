import { Injectable } from '@nestjs/common';
import { type EmailMessage, ChannelRegistry, isCatcher, ProviderError } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { IntegrationsService } from '../integrations/index.js';
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

/** Through the first email integration of the environment. A link that cannot be sent is still valid. */
@Injectable()
export class LinkMails {
  private readonly timeoutMs: number;

  constructor(
    private readonly integrations: IntegrationsService,
    private readonly registry: ChannelRegistry,
    config: AppConfig,
  ) {
    this.timeoutMs = config.get('DELIVERY_TIMEOUT_MS');
  }

  async send(tenant: TenantContext, mail: LinkMail): Promise<MailResult> {
    const candidates = await this.integrations.candidates(tenant, 'email');
    // Whoever waits for an invitation or has forgotten the password is no recipient of a test.
    const integration = candidates.find(
      ({ conditions, providerId }) => conditions.length === 0 && !isCatcher(providerId),
    );
    if (integration === undefined) return { mail: 'no_integration' };
    const { credentials, credentialsError, providerId } = integration;
    const from = credentials['from'];
    if (credentialsError !== undefined || typeof from !== 'string')
      return { mail: 'failed', mailError: credentialsError ?? "The integration has no sender address 'from'." };
    const options = { credentials, idempotencyKey: mail.id, timeoutMs: this.timeoutMs };
    try {
      await this.registry.send('email', providerId, messageOf(mail, from, credentials['senderName']), options);
      return { mail: 'sent' };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { mail: 'failed', mailError: error.message };
    }
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
