import { declare } from './declare.js';

const SENDER = 'from* senderName*';

export const EMAIL_DECLARATIONS = [
  declare('email', 'novu-email', 'Novu Email', '', { note: 'A hosted demo gateway; there is none behind Herald.' }),
  declare('email', 'mailgun', 'Mailgun', `apiKey* user* domain* ${SENDER} baseUrl`, {
    supports: { attachments: true, copies: true, check: true },
    docs: 'https://documentation.mailgun.com/docs/mailgun/api-reference/openapi-final/tag/Messages/',
    describe: {
      user: 'User of the basic authentication, usually api',
      domain: 'Sending domain',
      baseUrl: 'Base URL of the region, for example https://api.eu.mailgun.net',
    },
  }),
  declare('email', 'mailjet', 'Mailjet', `apiKey* secretKey* ${SENDER}`, {
    supports: { attachments: true, copies: true, check: true },
    docs: 'https://dev.mailjet.com/reference/email/send-emails/',
  }),
  declare('email', 'mailtrap', 'Mailtrap', `apiKey* ${SENDER}`),
  declare('email', 'mandrill', 'Mandrill', `apiKey* ${SENDER}`, {
    supports: { attachments: true, copies: true, check: true },
    docs: 'https://mandrillapp.com/api/docs/messages.html',
  }),
  declare('email', 'postmark', 'Postmark', `apiKey* ${SENDER}`, {
    supports: { attachments: true, copies: true, check: true },
    docs: 'https://postmarkapp.com/developer/user-guide/sending-email/sending-with-api',
    describe: { apiKey: 'Server API token' },
  }),
  declare('email', 'sendgrid', 'SendGrid', `apiKey* ${SENDER} ipPoolName`, {
    supports: { attachments: true, copies: true, check: true },
    docs: 'https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send',
  }),
  declare('email', 'sendinblue', 'Sendinblue', `apiKey* ${SENDER}`, {
    supports: { attachments: true, copies: true, check: true, idempotency: true },
    docs: 'https://developers.brevo.com/reference/sendtransacemail',
  }),
  declare('email', 'ses', 'SES', `apiKey* secretKey* region* ${SENDER}`, {
    supports: { attachments: true, copies: true, check: true },
    docs: 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html',
    describe: { apiKey: 'Access key id', secretKey: 'Secret access key' },
  }),
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
  declare('email', 'mailersend', 'MailerSend', `apiKey* ${SENDER}`, {
    supports: { attachments: true, copies: true },
    docs: 'https://developers.mailersend.com/api/v1/email.html',
  }),
  declare('email', 'outlook365', 'Microsoft Outlook365', `password* ${SENDER}`),
  declare('email', 'infobip-email', 'Infobip', `apiKey* baseUrl* ${SENDER}`),
  declare('email', 'braze', 'Braze', `apiKey* apiURL* appID* ${SENDER}`),
  declare('email', 'resend', 'Resend', `apiKey* ${SENDER}`, {
    supports: { attachments: true, copies: true, check: true, idempotency: true },
    docs: 'https://resend.com/docs/api-reference/emails/send-email',
  }),
  declare('email', 'plunk', 'Plunk', `apiKey* ${SENDER}`),
  declare('email', 'sparkpost', 'SparkPost', `apiKey* ${SENDER} region`, {
    supports: { attachments: true, copies: true },
    docs: 'https://developers.sparkpost.com/api/transmissions/',
    describe: { region: 'eu for accounts of the European service, else empty' },
  }),
  declare('email', 'email-webhook', 'Email Webhook', `webhookUrl* secretKey* ${SENDER}`, {
    supports: { attachments: true, copies: true, userUrl: true },
    docs: 'https://docs.novu.co/platform/integrations/push/push-webhook',
    describe: { secretKey: 'Key of the HMAC-SHA256 in X-Novu-Signature' },
    note: 'Posts the whole message as JSON; attachments in base64 under file. X-Novu-Signature is the HMAC-SHA256 of the body in hex.',
  }),
  declare('email', 'emailjs', 'EmailJS', ''),
  declare('email', 'clickatell', 'Clickatell', ''),
];
