import type { AddressRule } from '../../http/address-guard.js';
import type { OutboundHttp } from '../../http/outbound-http.types.js';
import { SmtpProvider } from './smtp.provider.js';

/** Of a mailbox, at a time; https://learn.microsoft.com/exchange/troubleshoot/send-emails/smtp-submission-improvements */
const MOST_CONNECTIONS = 3;

/** Microsoft 365 accepts mail by SMTP submission on a fixed host. The sender's address is the user name. */
export function createOutlook365(http: OutboundHttp, rule: AddressRule | undefined, helloName?: string): SmtpProvider {
  const connection = (credentials: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
    host: 'smtp.office365.com',
    port: '587',
    requireTls: true,
    user: credentials['from'],
    tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    ...credentials,
    helloName,
  });
  return new SmtpProvider('outlook365', http, rule, connection, MOST_CONNECTIONS);
}
