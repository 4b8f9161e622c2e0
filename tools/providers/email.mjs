import { answer, answerBox, box, boxes, files, FROM, joined, pairs, people, sender, written } from './email-fields.mjs';

const OLD = 'the public specification is older than this field';
const NOT_OF_TEMPLATE = 'a stored template has a subject of its own';

export const EMAIL_ROWS = [
  {
    id: 'sendgrid',
    channel: 'email',
    library: '@sendgrid/mail@8.1.6',
    specification: {
      file: 'sendgrid.json',
      date: '2026-01-22',
      operations: ['POST /v3/mail/send'],
      differs: { 'body.custom_args': 'the specification calls it a text, the documentation and the library an object' },
    },
    credentials: { ...FROM, apiKey: 'SG.key' },
    messages: { template: { customData: { templateId: 'd-1', dynamicTemplateData: { name: 'Ada' } } } },
    answers: { '/v3/mail/send': { status: 202, headers: { 'x-message-id': 'id-1' }, body: '' } },
    async send(load, message) {
      const { MailService } = load('@sendgrid/mail');
      const { Client } = load('@sendgrid/client');
      const mail = new MailService();
      mail.setClient(new Client());
      mail.setApiKey('SG.key');
      const { templateId, dynamicTemplateData, ...customArgs } = message.customData ?? {};
      const { subject, text, html } = message;
      await mail.send({
        to: people(message, message.to),
        cc: people(message, message.cc),
        bcc: people(message, message.bcc),
        from: sender(message),
        replyTo: answer(message),
        ...(templateId ? { templateId, dynamicTemplateData } : { subject, text, html }),
        headers: message.headers,
        attachments: files(message, ({ name, mime, base64, cid }) => ({
          filename: name,
          type: mime,
          content: base64,
          disposition: cid ? 'inline' : 'attachment',
          content_id: cid,
        })),
        customArgs,
      });
    },
  },
  {
    id: 'mailgun',
    channel: 'email',
    library: 'mailgun.js@14.0.1',
    specification: {
      file: 'mailgun.json',
      date: '2026-07-09',
      operations: ['POST /v3/{domain_name}/messages'],
      differs: { 'body.subject': NOT_OF_TEMPLATE },
    },
    differs: {
      'body.attachment.type': 'the library does not tell the type of a file',
      'body.inline.type': 'the library does not tell the type of a file',
    },
    credentials: { ...FROM, apiKey: 'key-1', user: 'api', domain: 'mg.herald.example' },
    messages: { template: { customData: { templateId: 'welcome', variables: { name: 'Ada' } } } },
    async send(load, message) {
      const client = new (load('mailgun.js'))(globalThis.FormData).client({ username: 'api', key: 'key-1' });
      const { templateId, variables, ...data } = message.customData ?? {};
      const { subject, text, html } = message;
      const [attachment, inline] = [false, true].map((isInline) =>
        message.attachments
          ?.filter(({ cid }) => (cid !== undefined) === isInline)
          .map(({ name, mime, content, cid }) => ({ data: content, filename: cid ?? name, contentType: mime })),
      );
      await client.messages.create(
        'mg.herald.example',
        written({
          from: box(sender(message)),
          to: joined(message, message.to),
          cc: joined(message, message.cc),
          bcc: joined(message, message.bcc),
          ...(templateId
            ? { template: templateId, 't:variables': JSON.stringify(variables) }
            : { subject, text, html }),
          'h:Reply-To': answerBox(message),
          ...Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [`h:${name}`, value])),
          ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`v:${name}`, value])),
          attachment: attachment?.length ? attachment : undefined,
          inline: inline?.length ? inline : undefined,
        }),
      );
    },
  },
  {
    id: 'postmark',
    channel: 'email',
    library: 'postmark@5.1.0',
    specification: {
      file: 'postmark.json',
      date: '2020-12-21',
      operations: ['POST /email', 'POST /email/withTemplate'],
      differs: { 'body.Metadata': OLD, 'body.TemplateAlias': 'it is wanted only where there is no TemplateId' },
    },
    credentials: { ...FROM, apiKey: 'server-token' },
    headers: ['x-postmark-server-token', 'content-type'],
    messages: { template: { customData: { templateId: 7, templateModel: { name: 'Ada' } } } },
    answers: { '*': { body: { ErrorCode: 0, MessageID: 'id-1' } } },
    async send(load, message) {
      const client = new (load('postmark').ServerClient)('server-token');
      const { templateId, templateModel, ...metadata } = message.customData ?? {};
      const { subject, text, html } = message;
      const mail = {
        From: box(sender(message)),
        To: joined(message, message.to),
        Cc: joined(message, message.cc),
        Bcc: joined(message, message.bcc),
        ReplyTo: answerBox(message),
        Headers: pairs(message.headers, 'Name', 'Value'),
        Metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
        Attachments: files(message, ({ name, mime, base64, cid }) => ({
          Name: name,
          Content: base64,
          ContentType: mime,
          ContentID: cid && `cid:${cid}`,
        })),
      };
      if (templateId)
        await client.sendEmailWithTemplate({ ...mail, TemplateId: templateId, TemplateModel: templateModel });
      else await client.sendEmail({ ...mail, Subject: subject, TextBody: text, HtmlBody: html });
    },
  },
  {
    id: 'resend',
    channel: 'email',
    library: 'resend@6.38.0',
    specification: {
      file: 'resend.json',
      date: '2026-08-21',
      operations: ['POST /emails'],
      differs: { 'body.subject': NOT_OF_TEMPLATE },
    },
    credentials: { ...FROM, apiKey: 're_key' },
    headers: ['authorization', 'content-type', 'idempotency-key'],
    messages: { template: { customData: { templateId: 'welcome', variables: { name: 'Ada' } } } },
    answers: { '/emails': { body: { id: 'id-1' } } },
    async send(load, message) {
      const client = new (load('resend').Resend)('re_key');
      const { templateId, variables, ...tags } = message.customData ?? {};
      const { subject, text, html } = message;
      await client.emails.send(
        {
          from: box(sender(message)),
          to: boxes(message, message.to),
          cc: boxes(message, message.cc),
          bcc: boxes(message, message.bcc),
          replyTo: answerBox(message),
          ...(templateId ? { template: { id: templateId, variables } } : { subject, text, html }),
          headers: message.headers,
          attachments: files(message, ({ name, mime, base64, cid }) => ({
            filename: name,
            content: base64,
            contentType: mime,
            contentId: cid,
          })),
          tags: Object.keys(tags).length > 0 ? pairs(tags, 'name', 'value') : undefined,
        },
        { idempotencyKey: 'key-1' },
      );
    },
  },
  {
    id: 'mailjet',
    channel: 'email',
    library: 'node-mailjet@6.0.11',
    specification: {
      file: 'mailjet.json',
      date: '2024-10-23',
      operations: ['POST /v3.1/send'],
      differs: Object.fromEntries(
        [
          'CustomID',
          'EventPayload',
          'Headers',
          'Attachments.*.ContentType',
          'InlinedAttachments',
          'TemplateLanguage',
          'Variables',
        ].map((field) => [`body.Messages.*.${field}`, 'its independent author left out what the library sends']),
      ),
    },
    credentials: { ...FROM, apiKey: 'public', secretKey: 'private' },
    messages: { template: { customData: { templateId: 7, variables: { name: 'Ada' } } } },
    async send(load, message) {
      const { Client } = load('node-mailjet');
      const { templateId, variables, ...payload } = message.customData ?? {};
      const capital = (list) => list.map(({ email, name }) => written({ Email: email, Name: name }));
      const shape = ({ name, mime, base64, cid }) =>
        written({ ContentType: mime, Filename: name, Base64Content: base64, ContentID: cid });
      const split = (isInline) => {
        const those = message.attachments?.filter(({ cid }) => (cid !== undefined) === isInline);
        return those?.length ? files({ attachments: those }, shape) : undefined;
      };
      await new Client({ apiKey: 'public', apiSecret: 'private' }).post('send', { version: 'v3.1' }).request({
        Messages: [
          written({
            From: capital([sender(message)])[0],
            To: capital(people(message, message.to)),
            Cc: message.cc && capital(people(message, message.cc)),
            Bcc: message.bcc && capital(people(message, message.bcc)),
            ReplyTo: message.replyTo && capital([answer(message)])[0],
            ...(templateId
              ? { TemplateID: templateId, TemplateLanguage: true, Variables: variables }
              : { Subject: message.subject, TextPart: message.text, HTMLPart: message.html }),
            Headers: message.headers,
            Attachments: split(false),
            InlinedAttachments: split(true),
            CustomID: message.id,
            EventPayload: Object.keys(payload).length > 0 ? JSON.stringify(payload) : undefined,
          }),
        ],
      });
    },
  },
  {
    id: 'mailersend',
    channel: 'email',
    library: 'mailersend@3.4.0',
    credentials: { ...FROM, apiKey: 'mlsn.key' },
    without: { 'custom data': 'MailerSend has no such field' },
    messages: {
      template: {
        customData: { templateId: 'tpl', personalization: [{ email: 'ada@example.com', data: { name: 'Ada' } }] },
      },
    },
    answers: { '/v1/email': { status: 202, headers: { 'x-message-id': 'id-1' }, body: '' } },
    async send(load, message) {
      const { MailerSend, EmailParams, Sender, Recipient, Attachment } = load('mailersend');
      const recipients = (list) => people(message, list).map(({ email, name }) => new Recipient(email, name));
      const mail = new EmailParams()
        .setFrom(new Sender(message.from, message.senderName || undefined))
        .setTo(recipients(message.to));
      const { templateId, personalization } = message.customData ?? {};
      if (templateId) mail.setTemplateId(templateId).setPersonalization(personalization);
      else {
        mail.setSubject(message.subject).setHtml(message.html);
        if (message.text) mail.setText(message.text);
      }
      if (message.cc) mail.setCc(recipients(message.cc));
      if (message.bcc) mail.setBcc(recipients(message.bcc));
      if (message.replyTo) mail.setReplyTo(recipients([message.replyTo])[0]);
      if (message.headers) mail.setHeaders(pairs(message.headers, 'name', 'value'));
      const attach = ({ base64, name, cid }) => new Attachment(base64, name, cid ? 'inline' : 'attachment', cid);
      if (message.attachments) mail.setAttachments(files(message, attach));
      await new MailerSend({ apiKey: 'mlsn.key' }).email.send(mail);
    },
  },
];
