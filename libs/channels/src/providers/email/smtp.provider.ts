import { setTimeout as pause } from 'node:timers/promises';
import type { SendMailOptions } from 'nodemailer';
import { findProvider, missingCredentials } from '../../catalogue/catalogue.js';
import type { ProviderDeclaration } from '../../core/declaration.js';
import { type EmailMessage, isInline, type OutboundMessage } from '../../core/messages.js';
import { ProviderError } from '../../errors/provider-error.js';
import type { ChannelProvider, SendContext, SendResult } from '../../core/provider.js';
import type { AddressRule } from '../../http/address-guard.js';
import type { OutboundHttp } from '../../http/outbound-http.types.js';
import { deadAddresses, hasTooManyConnections, smtpError } from './smtp-error.js';
import { subjectHeader } from './subject-header.js';
import { SmtpTokens, usesTokens } from './smtp-tokens.js';
import { USUAL_CONNECTIONS, SmtpTransports, type WatchedMail } from './smtp-transports.js';

/** Every attempt has the same Message-ID, so that mailboxes can drop a repeat. */
function messageIdHeader(message: Pick<EmailMessage, 'id' | 'from'>): string {
  const domain = /@([a-z0-9.-]+)>?\s*$/i.exec(message.from)?.[1] ?? 'herald.invalid';
  return `<${message.id.replace(/[^\w.-]/g, '')}@${domain}>`;
}

function sender(message: EmailMessage): SendMailOptions['from'] {
  return message.senderName === undefined || message.senderName === ''
    ? message.from
    : { name: message.senderName, address: message.from };
}

function mailboxes(
  { names = {} }: EmailMessage,
  addresses: readonly string[] = [],
): { name: string; address: string }[] {
  return addresses.map((address) => ({ name: names[address] ?? '', address }));
}

function mailOptions(message: EmailMessage, { signal, handover }: SendContext): WatchedMail {
  const subject = subjectHeader(message.subject);
  return {
    from: sender(message),
    to: mailboxes(message, message.to),
    cc: mailboxes(message, message.cc),
    bcc: mailboxes(message, message.bcc),
    ...(message.replyTo !== undefined && { replyTo: mailboxes(message, [message.replyTo]) }),
    ...subject,
    html: message.html,
    text: message.text,
    headers: { ...message.headers, ...subject.headers },
    messageId: messageIdHeader(message),
    attachments: (message.attachments ?? []).map((file) => ({
      filename: file.name,
      contentType: file.mime,
      content: file.content,
      contentDisposition: isInline(file) ? ('inline' as const) : ('attachment' as const),
      ...(file.cid !== undefined && { cid: file.cid }),
    })),
    signal,
    onWholeRead: () => handover.begin(),
  };
}

type Credentials = SendContext['credentials'];

/** Until a mail is tried again whose connection was refused because there were too many. */
const RETRY_MS = 500;

/** Any SMTP server, through nodemailer: pooled connections, STARTTLS or TLS, DKIM, attachments. */
export class SmtpProvider implements ChannelProvider {
  readonly channel = 'email';
  private readonly transports: SmtpTransports;
  private readonly tokens: SmtpTokens;
  /** Credentials of the connection; `from` and `senderName` belong to the message. */
  private readonly needed: Pick<ProviderDeclaration, 'credentials'>;

  /**
   * @param rule allowed addresses; undefined: all
   * @param connection adds what a service fixes, such as its host, to the credentials
   * @param most connections that the service takes
   */
  constructor(
    readonly id: string,
    http: OutboundHttp,
    rule: AddressRule | undefined,
    private readonly connection: (credentials: Credentials) => Credentials = (credentials) => credentials,
    most = USUAL_CONNECTIONS,
  ) {
    this.tokens = new SmtpTokens(http);
    this.transports = new SmtpTransports(rule, this.tokens, most);
    const fields = findProvider(id, 'email')?.credentials ?? [];
    this.needed = { credentials: fields.filter(({ key }) => key !== 'from' && key !== 'senderName') };
  }

  async send(message: OutboundMessage, context: SendContext): Promise<SendResult> {
    if (message.channel !== 'email') {
      throw new ProviderError('SMTP can send email only.', { code: 'message_incomplete', retryable: false });
    }
    const { connection, token } = await this.loggingIn(context);
    try {
      return await this.deliver(message, connection, context);
    } catch (error) {
      const isRefused = error instanceof ProviderError && error.code === 'unauthorized' && !error.retryable;
      if (token === undefined || !isRefused) throw error;
      // A token can end before its time. What is refused at the login has not been sent.
      await this.loggingIn(context, token);
      return this.deliver(message, connection, context);
    }
  }

  private async deliver(message: EmailMessage, connection: Credentials, context: SendContext): Promise<SendResult> {
    for (;;) {
      const pool = await this.transports.pool(connection);
      try {
        const info = await pool.send(mailOptions(message, context));
        const { accepted, rejected, response } = info;
        const dead = deadAddresses(info.rejectedErrors);
        return {
          id: info.messageId,
          date: new Date().toISOString(),
          raw: { accepted, rejected, response },
          ...(dead.length > 0 && { deadAddresses: dead }),
        };
      } catch (error) {
        const fault = smtpError(error, context.handover.outcome);
        if (!hasTooManyConnections(error)) throw fault;
        pool.narrow();
        context.handover.refused();
        // There is room for it when others have been sent.
        await pause(RETRY_MS, undefined, { signal: context.signal }).catch(() => {
          throw fault;
        });
      }
    }
  }

  concurrency(credentials: Credentials): number {
    return this.transports.limit(this.connection(credentials));
  }

  async check(context: SendContext): Promise<void> {
    const { signal } = context;
    const { connection } = await this.loggingIn(context);
    const transport = await this.transports.single(connection);
    const stop = (): void => transport.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await transport.verify();
    } catch (error) {
      throw smtpError(error, 'not_sent');
    } finally {
      signal.removeEventListener('abort', stop);
      transport.close();
    }
  }

  /**
   * A token is fetched first, because only its own error says whether it can be had later.
   * @param refused a token that the server has refused
   */
  private async loggingIn(
    context: SendContext,
    refused?: string,
  ): Promise<{ readonly connection: Credentials; readonly token?: string }> {
    const { credentials, signal } = context;
    this.assertComplete(credentials);
    const connection = this.connection(credentials);
    if (!usesTokens(connection)) return { connection };
    const wish = { now: context.now(), signal, ...(refused !== undefined && { refused }) };
    return { connection, token: await this.tokens.get(connection, wish) };
  }

  destroy(): Promise<void> {
    this.transports.close();
    return Promise.resolve();
  }

  private assertComplete(credentials: Credentials): void {
    const faults = missingCredentials(this.needed, credentials);
    if (faults.length > 0) {
      throw new ProviderError(`The SMTP integration is incomplete: ${faults.join('; ')}.`, {
        code: 'credentials_incomplete',
        retryable: false,
      });
    }
  }
}
