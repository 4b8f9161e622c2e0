import { declare } from './declare.js';

const SENDER = 'from* senderName*';

export const EMAIL_DECLARATIONS = [
  declare('email', 'novu-email', 'Novu Email', '', { note: 'A hosted demo gateway; there is none behind Herald.' }),
  declare('email', 'mailgun', 'Mailgun', `apiKey* user* domain* ${SENDER} baseUrl`),
  declare('email', 'mailjet', 'Mailjet', `apiKey* secretKey* ${SENDER}`),
  declare('email', 'mailtrap', 'Mailtrap', `apiKey* ${SENDER}`),
  declare('email', 'mandrill', 'Mandrill', `apiKey* ${SENDER}`),
  declare('email', 'postmark', 'Postmark', `apiKey* ${SENDER}`),
  declare('email', 'sendgrid', 'SendGrid', `apiKey* ${SENDER} ipPoolName`),
  declare('email', 'sendinblue', 'Sendinblue', `apiKey* ${SENDER}`),
  declare('email', 'ses', 'SES', `apiKey* secretKey* region* ${SENDER}`),
  declare('email', 'netcore', 'Netcore', `apiKey* ${SENDER}`),
  declare(
    'email',
    'nodemailer',
    'Custom SMTP',
    `host* port* ${SENDER} user password secure requireTls ignoreTls tlsOptions domain secretKey accountSid`,
    {
      docs: 'https://www.rfc-editor.org/rfc/rfc5321',
      supports: { attachments: true, copies: true, check: true },
      describe: {
        secure: 'TLS from the first byte (usually port 465); otherwise STARTTLS is used where the server offers it',
        domain: 'DKIM domain',
        secretKey: 'DKIM private key (PEM)',
        accountSid: 'DKIM key selector',
      },
      note: 'DKIM needs domain, secretKey and accountSid together. The Message-ID is derived from the message id.',
    },
  ),
  declare('email', 'mailersend', 'MailerSend', `apiKey* ${SENDER}`),
  declare('email', 'outlook365', 'Microsoft Outlook365', `password* ${SENDER}`),
  declare('email', 'infobip-email', 'Infobip', `apiKey* baseUrl* ${SENDER}`),
  declare('email', 'braze', 'Braze', `apiKey* apiURL* appID* ${SENDER}`),
  declare('email', 'resend', 'Resend', `apiKey* ${SENDER}`),
  declare('email', 'plunk', 'Plunk', `apiKey* ${SENDER}`),
  declare('email', 'sparkpost', 'SparkPost', `apiKey* ${SENDER} region`),
  declare('email', 'email-webhook', 'Email Webhook', `webhookUrl* secretKey* ${SENDER}`),
  declare('email', 'emailjs', 'EmailJS', ''),
  declare('email', 'clickatell', 'Clickatell', ''),
];
