import type { AddressRule } from '../../http/address-guard.js';
import { SmtpProvider } from './smtp.provider.js';

/** Microsoft 365 accepts mail by SMTP submission on a fixed host. The sender's address is the user name. */
export function createOutlook365(rule: AddressRule | undefined): SmtpProvider {
  return new SmtpProvider('outlook365', rule, (credentials) => ({
    host: 'smtp.office365.com',
    port: '587',
    requireTls: true,
    user: credentials['from'],
    ...credentials,
  }));
}
