import type { ChannelProvider, SendContext } from '../../core/provider.js';
import type { AddressRule } from '../../http/address-guard.js';
import type { OutboundHttp } from '../../http/outbound-http.types.js';
import { emailWebhook } from './email-webhook.js';
import { infobipEmail } from './infobip-email.js';
import { mailersend } from './mailersend.js';
import { mailgun } from './mailgun.js';
import { mailjet } from './mailjet.js';
import { mailtrap } from './mailtrap.js';
import { mandrill } from './mandrill.js';
import { createOutlook365 } from './outlook365.js';
import { plunk } from './plunk.js';
import { postmark } from './postmark.js';
import { resend } from './resend.js';
import { sendgrid } from './sendgrid.js';
import { sendinblue } from './sendinblue.js';
import { createSes } from './ses.js';
import { SmtpProvider } from './smtp.provider.js';
import { sparkpost } from './sparkpost.js';

type Credentials = SendContext['credentials'];

/**
 * SMTP holds connections, so each registry has its own.
 * @param rule addresses that SMTP may connect to; undefined: all
 * @param helloName with which it greets servers
 */
export function createEmailProviders(
  http: OutboundHttp,
  rule: AddressRule | undefined,
  helloName?: string,
): readonly ChannelProvider[] {
  // Without a name to add, pools are found by the credentials themselves.
  const connection =
    helloName === undefined ? undefined : (credentials: Credentials): Credentials => ({ ...credentials, helloName });
  return [
    new SmtpProvider('nodemailer', http, rule, connection),
    createOutlook365(http, rule, helloName),
    emailWebhook,
    infobipEmail,
    mailersend,
    mailgun,
    mailjet,
    mailtrap,
    mandrill,
    plunk,
    postmark,
    resend,
    sendgrid,
    sendinblue,
    createSes(http),
    sparkpost,
  ];
}
