import type { ChannelProvider } from '../../core/provider.js';
import { emailWebhook } from './email-webhook.js';
import { mailersend } from './mailersend.js';
import { mailgun } from './mailgun.js';
import { mailjet } from './mailjet.js';
import { mandrill } from './mandrill.js';
import { postmark } from './postmark.js';
import { resend } from './resend.js';
import { sendgrid } from './sendgrid.js';
import { sendinblue } from './sendinblue.js';
import { ses } from './ses.js';
import { SmtpProvider } from './smtp.provider.js';
import { sparkpost } from './sparkpost.js';

/** The email providers; SMTP holds connections and is made anew for each registry. */
export function createEmailProviders(): readonly ChannelProvider[] {
  return [
    new SmtpProvider(),
    emailWebhook,
    mailersend,
    mailgun,
    mailjet,
    mandrill,
    postmark,
    resend,
    sendgrid,
    sendinblue,
    ses,
    sparkpost,
  ];
}
