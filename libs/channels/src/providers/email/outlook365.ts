import { SmtpProvider } from './smtp.provider.js';

/** Microsoft 365 takes mail by SMTP submission on a fixed host; the sender's address is the user name. */
export function createOutlook365(): SmtpProvider {
  return new SmtpProvider('outlook365', (credentials) => ({
    host: 'smtp.office365.com',
    port: '587',
    requireTls: true,
    user: credentials['from'],
    ...credentials,
  }));
}
