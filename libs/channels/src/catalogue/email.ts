import { declare } from './declare.js';

/** Instead of a password. */
const OAUTH = 'clientId clientSecret refreshToken tokenUrl serviceAccount';
const SENDER = 'from* senderName*';

export const EMAIL_DECLARATIONS = [
  declare('email', 'novu-email', 'Novu Email', '', { note: 'A hosted demo gateway; there is none behind Herald.' }),
  declare('email', 'mailgun', 'Mailgun', `apiKey* user* domain* ${SENDER} baseUrl callbackSecret`, {
    supports: {
      attachments: true,
      copies: true,
      check: true,
      callbacks: true,
      inline: true,
      customData: true,
      ipPools: true,
    },
    ownFields: { not: ['h:*', 'to', 'cc', 'bcc'] },
    storedTemplate: {
      names: ['template'],
      replaces: ['subject', 'text', 'html'],
      data: { templateId: 'template', version: 't:version', variables: 't:variables' },
    },
    docs: 'https://documentation.mailgun.com/docs/mailgun/api-reference/openapi-final/tag/Messages/',
    describe: {
      callbackSecret: 'HTTP webhook signing key',
      user: 'User of the basic authentication, usually api',
      domain: 'Sending domain',
      baseUrl: 'Base URL of the region, for example https://api.eu.mailgun.net',
    },
  }),
  declare('email', 'mailjet', 'Mailjet', `apiKey* secretKey* ${SENDER} callbackSecret`, {
    supports: { attachments: true, copies: true, check: true, callbacks: true, inline: true, customData: true },
    ownFields: { at: 'Messages.0', not: ['to', 'cc', 'bcc', 'headers'] },
    storedTemplate: {
      names: ['TemplateID'],
      replaces: ['Subject', 'TextPart', 'HTMLPart'],
      adds: { TemplateLanguage: true },
      data: { templateId: 'TemplateID', variables: 'Variables' },
    },
    docs: 'https://dev.mailjet.com/reference/email/send-emails/',
    describe: { callbackSecret: 'Password, or user:password, in the event URL' },
  }),
  declare('email', 'mailtrap', 'Mailtrap', `apiKey* ${SENDER}`, {
    supports: { attachments: true, copies: true, inline: true, customData: true },
    ownFields: { not: ['to', 'cc', 'bcc'] },
    storedTemplate: {
      names: ['template_uuid'],
      replaces: ['subject', 'text', 'html'],
      data: { templateId: 'template_uuid', variables: 'template_variables' },
    },
    docs: 'https://docs.mailtrap.io/developers/email-sending/transactional',
  }),
  declare('email', 'mandrill', 'Mandrill', `apiKey* ${SENDER} callbackSecret`, {
    supports: {
      attachments: true,
      copies: true,
      check: true,
      callbacks: true,
      inline: true,
      customData: true,
      ipPools: true,
    },
    ownFields: { not: ['key', 'message.to', 'message.bcc_address', 'message.headers'] },
    storedTemplate: {
      names: ['template_name'],
      replaces: ['message.subject', 'message.text', 'message.html'],
      adds: { template_content: [] },
      path: '/api/1.0/messages/send-template.json',
      data: {
        templateId: 'template_name',
        templateContent: 'template_content',
        globalMergeVars: 'message.global_merge_vars',
        mergeVars: 'message.merge_vars',
      },
    },
    docs: 'https://mandrillapp.com/api/docs/messages.html',
    describe: { callbackSecret: 'Key of the webhook' },
  }),
  declare('email', 'postmark', 'Postmark', `apiKey* ${SENDER} callbackSecret`, {
    supports: { attachments: true, copies: true, check: true, callbacks: true, inline: true, customData: true },
    ownFields: { not: ['to', 'cc', 'bcc', 'headers'] },
    storedTemplate: {
      names: ['TemplateId', 'TemplateAlias'],
      replaces: ['Subject', 'TextBody', 'HtmlBody'],
      adds: { TemplateModel: {} },
      path: '/email/withTemplate',
      data: { templateId: 'TemplateId', templateAlias: 'TemplateAlias', templateModel: 'TemplateModel' },
    },
    docs: 'https://postmarkapp.com/developer/user-guide/sending-email/sending-with-api',
    describe: {
      callbackSecret: "Password, or user:password, of the webhook's Basic authentication",
      apiKey: 'Server API token',
    },
  }),
  declare('email', 'sendgrid', 'SendGrid', `apiKey* ${SENDER} ipPoolName callbackSecret`, {
    supports: {
      attachments: true,
      copies: true,
      check: true,
      callbacks: true,
      inline: true,
      customData: true,
      ipPools: true,
    },
    ownFields: {
      not: [
        'personalizations.*.to',
        'personalizations.*.cc',
        'personalizations.*.bcc',
        'personalizations.*.headers',
        'mail_settings.bcc',
      ],
      lists: ['personalizations'],
    },
    storedTemplate: {
      names: ['template_id'],
      replaces: ['subject', 'content'],
      data: { templateId: 'template_id', dynamicTemplateData: 'personalizations.0.dynamic_template_data' },
    },
    docs: 'https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send',
    describe: { callbackSecret: 'Verification key of the signed event webhook' },
  }),
  declare('email', 'sendinblue', 'Sendinblue', `apiKey* ${SENDER} callbackSecret`, {
    supports: { attachments: true, copies: true, check: true, idempotency: true, callbacks: true, customData: true },
    ownFields: { not: ['to', 'cc', 'bcc', 'messageVersions'] },
    storedTemplate: {
      names: ['templateId'],
      replaces: ['subject', 'textContent', 'htmlContent'],
      data: { templateId: 'templateId', params: 'params' },
    },
    docs: 'https://developers.brevo.com/reference/sendtransacemail',
    describe: { callbackSecret: "Token or password of the webhook's authentication" },
  }),
  declare('email', 'ses', 'SES', `apiKey* secretKey* region* ${SENDER} callbackSecret`, {
    supports: { attachments: true, copies: true, check: true, callbacks: true, inline: true, customData: true },
    ownFields: {
      not: ['Destination', 'Content.Raw', 'Content.Simple.Headers', 'Content.Template.Headers'],
    },
    storedTemplate: {
      names: ['Content.Template.TemplateName', 'Content.Template.TemplateArn'],
      replaces: ['Content.Simple'],
      moves: {
        'Content.Simple.Headers': 'Content.Template.Headers',
        'Content.Simple.Attachments': 'Content.Template.Attachments',
      },
      texts: ['Content.Template.TemplateData'],
      data: { templateId: 'Content.Template.TemplateName', templateData: 'Content.Template.TemplateData' },
    },
    docs: 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html',
    describe: {
      callbackSecret: 'ARN of the SNS topic that delivers the events',
      apiKey: 'Access key id',
      secretKey: 'Secret access key',
    },
  }),
  declare('email', 'netcore', 'Netcore', `apiKey* ${SENDER}`, {
    note: 'Its documentation covers a later version of the service than these credentials, so there is no adapter.',
  }),
  declare(
    'email',
    'nodemailer',
    'Custom SMTP',
    `host* port* ${SENDER} user password secure requireTls ignoreTls tlsOptions domain secretKey accountSid ${OAUTH}`,
    {
      docs: 'https://www.rfc-editor.org/rfc/rfc5321',
      supports: { attachments: true, copies: true, check: true, inline: true },
      describe: {
        secure: 'TLS from the first byte (usually port 465); otherwise STARTTLS is used where the server offers it',
        domain: 'DKIM domain',
        secretKey: 'DKIM private key (PEM)',
        accountSid: 'DKIM key selector',
      },
      setup: [
        'Ask your mail service for the host, the port, and a user with a password. For a Google account with two-step verification, <https://myaccount.google.com/apppasswords> makes one.',
        'Without a password, for Google: in the Google Cloud console, **APIs & Services**, **Credentials**, make an **OAuth client ID** of the type **Web application**; <https://developers.google.com/oauthplayground> with your own client and the scope `https://mail.google.com/` gives the `refreshToken`. Google Workspace also takes a `serviceAccount` with domain-wide delegation for that scope.',
        'Without a password, for Microsoft 365: use the provider `outlook365`.',
        'For DKIM, make a key with `openssl genrsa 2048`, and publish the public key in the DNS at `<accountSid>._domainkey.<domain>`.',
      ],
      note: 'DKIM needs domain, secretKey and accountSid together. The Message-ID is derived from the message id. With `clientId` or `serviceAccount`, Herald logs in as `user` by OAuth2 (XOAUTH2) instead of a password, and renews tokens itself.',
    },
  ),
  declare('email', 'mailersend', 'MailerSend', `apiKey* ${SENDER} callbackSecret`, {
    supports: { attachments: true, copies: true, check: true, callbacks: true, inline: true },
    ownFields: { not: ['to', 'cc', 'bcc'] },
    storedTemplate: {
      names: ['template_id'],
      replaces: ['subject', 'text', 'html'],
      data: { templateId: 'template_id', personalization: 'personalization' },
    },
    docs: 'https://developers.mailersend.com/api/v1/email.html',
    describe: { callbackSecret: 'Signing secret of the webhook' },
  }),
  declare('email', 'outlook365', 'Microsoft Outlook365', `password|clientId ${SENDER} ${OAUTH}`, {
    supports: { attachments: true, copies: true, check: true, inline: true },
    docs: 'https://learn.microsoft.com/en-us/exchange/mail-flow-best-practices/how-to-set-up-a-multifunction-device-or-application-to-send-email-using-microsoft-365-or-office-365',
    describe: {
      from: 'Address of the mailbox; also the user name',
      password: 'Password, or app password, of the mailbox; needed without clientId',
      tokenUrl: 'https://login.microsoftonline.com/<tenant>/oauth2/v2.0/token',
    },
    setup: [
      'In <https://entra.microsoft.com>, **App registrations**, choose **New registration**. **Application (client) ID** is `clientId`; the **Directory (tenant) ID** belongs into `tokenUrl`.',
      'Under **Certificates & secrets**, choose **New client secret**: its value is `clientSecret`.',
      'Under **API permissions**, add **Office 365 Exchange Online**, **Application permissions**, `SMTP.SendAsApp`, and grant admin consent.',
      'Register the application in Exchange Online with `New-ServicePrincipal`, give it the mailbox with `Add-MailboxPermission -AccessRights FullAccess`, and enable SMTP AUTH for the mailbox.',
    ],
    note: 'SMTP submission at smtp.office365.com:587 with STARTTLS; SMTP AUTH must be enabled for the mailbox. With `clientId`, Herald logs in by OAuth2: as the application, or, with `refreshToken`, as a person. Microsoft is ending logins with a password.',
  }),
  declare('email', 'infobip-email', 'Infobip', `apiKey* baseUrl* ${SENDER}`, {
    supports: { attachments: true, copies: true, check: true, userUrl: true, inline: true },
    ownFields: { not: ['to', 'cc', 'bcc'] },
    storedTemplate: {
      names: ['templateId'],
      replaces: ['subject', 'text', 'html'],
      data: { templateId: 'templateId', defaultPlaceholders: 'defaultPlaceholders' },
    },
    docs: 'https://infobip.com/docs/api/channels/email/send-fully-featured-email',
    describe: { baseUrl: 'Personal base URL of the account' },
    formats: { baseUrl: 'hostOrUrl' },
    note: 'Its API does not support extra headers; they are ignored.',
  }),
  declare('email', 'braze', 'Braze', `apiKey* apiURL* appID* ${SENDER}`, {
    note: 'Sends only to users that it knows, not to addresses, so there is no adapter.',
  }),
  declare('email', 'resend', 'Resend', `apiKey* ${SENDER} callbackSecret`, {
    supports: {
      attachments: true,
      copies: true,
      check: true,
      idempotency: true,
      callbacks: true,
      inline: true,
      customData: true,
    },
    ownFields: { not: ['to', 'cc', 'bcc'] },
    storedTemplate: {
      names: ['template.id'],
      replaces: ['subject', 'text', 'html'],
      data: { templateId: 'template.id', variables: 'template.variables' },
    },
    docs: 'https://resend.com/docs/api-reference/emails/send-email',
    describe: { callbackSecret: 'Signing secret of the webhook (whsec_...)' },
  }),
  declare('email', 'plunk', 'Plunk', `apiKey* ${SENDER}`, {
    supports: { attachments: true },
    ownFields: { not: ['to'] },
    storedTemplate: {
      names: ['template'],
      replaces: ['subject', 'body'],
      data: { templateId: 'template', data: 'data' },
    },
    docs: 'https://docs.useplunk.com/api-reference/transactional/send',
    note: 'Does not support copies: every recipient gets a separate message.',
  }),
  declare('email', 'sparkpost', 'SparkPost', `apiKey* ${SENDER} region callbackSecret`, {
    supports: {
      attachments: true,
      copies: true,
      check: true,
      callbacks: true,
      inline: true,
      customData: true,
      ipPools: true,
    },
    ownFields: { not: ['recipients', 'cc', 'bcc', 'archive', 'content.headers', 'content.email_rfc822'] },
    storedTemplate: {
      names: ['content.template_id'],
      replaces: [
        'content.from',
        'content.subject',
        'content.text',
        'content.html',
        'content.reply_to',
        'content.headers',
        'content.attachments',
        'content.inline_images',
      ],
      data: { templateId: 'content.template_id', substitutionData: 'substitution_data' },
    },
    docs: 'https://developers.sparkpost.com/api/transmissions/',
    describe: {
      callbackSecret: "Password of the webhook's Basic authentication, or its X-MessageSystems-Webhook-Token",
      region: 'eu for accounts of the European service, else empty',
    },
  }),
  declare('email', 'email-webhook', 'Email Webhook', `webhookUrl* secretKey* ${SENDER}`, {
    supports: { attachments: true, copies: true, userUrl: true, inline: true, customData: true, ipPools: true },
    ownFields: { not: ['to', 'cc', 'bcc', 'headers'] },
    docs: 'https://docs.novu.co/platform/integrations/push/push-webhook',
    describe: { secretKey: 'Key of the HMAC-SHA256 in X-Novu-Signature' },
    note: 'Posts the whole message as JSON; attachments in base64 under file. X-Novu-Signature is the HMAC-SHA256 of the body in hex.',
  }),
  declare('email', 'emailjs', 'EmailJS', '', { note: 'Known by name alone in the compatible system.' }),
  declare('email', 'clickatell', 'Clickatell', '', {
    note: 'The compatible system has only its name; its sms service is implemented.',
  }),
];
