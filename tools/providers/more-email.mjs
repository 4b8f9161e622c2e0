import {
  box,
  boxes,
  joined,
  boxInAscii,
  answer,
  answerBox,
  files,
  FROM,
  pairs,
  people,
  sender,
  written,
} from './email-fields.mjs';

export const MORE_EMAIL_ROWS = [
  {
    id: 'mandrill',
    channel: 'email',
    library: '@mailchimp/mailchimp_transactional@1.4.1',
    specification: {
      file: 'mandrill.json',
      date: '2020-12-21',
      operations: ['POST /messages/send.json', 'POST /messages/send-template.json'],
      differs: {
        'body.message.headers': 'a specification of a third party, which names no headers',
        'body.message.metadata': 'a specification of a third party, which names no keys',
      },
    },
    differs: { path: 'the documentation names version 1.0 of the same API and its .json routes' },
    credentials: { ...FROM, apiKey: 'md-key' },
    messages: {
      template: { customData: { templateId: 'welcome', globalMergeVars: [{ name: 'NAME', content: 'Ada' }] } },
    },
    answers: { '*': { body: [{ _id: 'id-1', status: 'sent' }] } },
    async send(load, message) {
      const client = load('@mailchimp/mailchimp_transactional')('md-key');
      const { templateId, globalMergeVars, ...metadata } = message.customData ?? {};
      const { subject, text, html } = message;
      const split = (isInline) => {
        const those = message.attachments?.filter(({ cid }) => (cid !== undefined) === isInline);
        const shape = ({ name, mime, base64, cid }) => ({ type: mime, name: cid ?? name, content: base64 });
        return those?.length ? files({ attachments: those }, shape) : undefined;
      };
      const kinds = ['to', 'cc', 'bcc'].flatMap((type) =>
        people(message, message[type]).map((one) => ({ ...one, type })),
      );
      const headers = { ...message.headers, ...(message.replyTo && { 'Reply-To': answerBox(message) }) };
      const mail = {
        ...(templateId ? { global_merge_vars: globalMergeVars } : { subject, text, html }),
        from_email: message.from,
        from_name: message.senderName || undefined,
        to: kinds,
        headers: Object.keys(headers).length > 0 ? headers : undefined,
        metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
        attachments: split(false),
        images: split(true),
      };
      if (templateId)
        await client.messages.sendTemplate({
          template_name: templateId,
          template_content: [],
          message: mail,
          async: false,
        });
      else await client.messages.send({ message: mail, async: false });
    },
  },
  {
    id: 'sparkpost',
    channel: 'email',
    library: 'sparkpost@2.1.4',
    differs: {
      'body.recipients.*.address.header_to':
        'with Herald, people who get one mail together see each other, as with every other provider',
    },
    credentials: { ...FROM, apiKey: 'sp-key' },
    messages: { template: { customData: { templateId: 'welcome', substitutionData: { name: 'Ada' } } } },
    answers: { '*': { body: { results: { id: 'id-1', total_accepted_recipients: 1, total_rejected_recipients: 0 } } } },
    async send(load, message) {
      const client = new (load('sparkpost'))('sp-key');
      const { templateId, substitutionData, ...metadata } = message.customData ?? {};
      const address = (list) => list && people(message, list).map((one) => ({ address: one }));
      const split = (isInline) => {
        const those = message.attachments?.filter(({ cid }) => (cid !== undefined) === isInline);
        const shape = ({ name, mime, base64, cid }) => ({ name: cid ?? name, type: mime, data: base64 });
        return those?.length ? files({ attachments: those }, shape) : undefined;
      };
      await client.transmissions.send(
        written({
          recipients: address(message.to),
          cc: address(message.cc),
          bcc: address(message.bcc),
          ...(templateId && { substitution_data: substitutionData }),
          ...(Object.keys(metadata).length > 0 && { metadata }),
          content: templateId
            ? { template_id: templateId }
            : written({
                from: sender(message),
                subject: message.subject,
                html: message.html,
                text: message.text,
                reply_to: answerBox(message),
                headers: message.headers,
                attachments: split(false),
                inline_images: split(true),
              }),
        }),
      );
    },
  },
  {
    id: 'mailtrap',
    channel: 'email',
    library: 'mailtrap@4.10.0',
    credentials: { ...FROM, apiKey: 'mt-key' },
    messages: { template: { customData: { templateId: 'uuid', variables: { name: 'Ada' } } } },
    answers: { '*': { body: { success: true, message_ids: ['id-1'] } } },
    async send(load, message) {
      const client = new (load('mailtrap').MailtrapClient)({ token: 'mt-key' });
      const { templateId, variables, ...data } = message.customData ?? {};
      const { subject, text, html } = message;
      await client.send({
        from: sender(message),
        to: people(message, message.to),
        cc: message.cc && people(message, message.cc),
        bcc: message.bcc && people(message, message.bcc),
        reply_to: answer(message),
        ...(templateId ? { template_uuid: templateId, template_variables: variables } : { subject, text, html }),
        headers: message.headers,
        attachments: files(message, ({ name, mime, base64, cid }) => ({
          filename: name,
          type: mime,
          content: base64,
          disposition: cid ? 'inline' : 'attachment',
          content_id: cid,
        })),
        custom_variables: Object.keys(data).length > 0 ? data : undefined,
      });
    },
  },
  {
    id: 'ses',
    channel: 'email',
    library: '@aws-sdk/client-sesv2@3.1176.0',
    specification: { file: 'ses.json', date: '2026-08-07', operations: ['SendEmail'] },
    credentials: { ...FROM, apiKey: 'AKIA1', secretKey: 'secret', region: 'eu-central-1' },
    messages: { template: { customData: { templateId: 'welcome', templateData: { name: 'Ada' } } } },
    answers: { '*': { body: { MessageId: 'id-1' } } },
    async send(load, message) {
      const { SESv2Client, SendEmailCommand } = load('@aws-sdk/client-sesv2');
      const client = new SESv2Client({
        region: 'eu-central-1',
        credentials: { accessKeyId: 'AKIA1', secretAccessKey: 'secret' },
      });
      const { templateId, templateData, ...tags } = message.customData ?? {};
      const text = (data) => data && { Data: data, Charset: 'UTF-8' };
      const headers = pairs(message.headers, 'Name', 'Value');
      const attachments = message.attachments?.map(({ name, mime, content, cid }) => ({
        FileName: name,
        ContentType: mime,
        ContentDisposition: cid ? 'INLINE' : 'ATTACHMENT',
        ContentId: cid,
        ContentTransferEncoding: 'BASE64',
        RawContent: content,
      }));
      await client.send(
        new SendEmailCommand({
          FromEmailAddress: boxInAscii(sender(message)),
          Destination: {
            ToAddresses: people(message, message.to).map(boxInAscii),
            CcAddresses: message.cc && people(message, message.cc).map(boxInAscii),
            BccAddresses: message.bcc && people(message, message.bcc).map(boxInAscii),
          },
          ReplyToAddresses: message.replyTo && [boxInAscii(answer(message))],
          Content: templateId
            ? { Template: { TemplateName: templateId, TemplateData: JSON.stringify(templateData) } }
            : {
                Simple: {
                  Subject: text(message.subject),
                  Body: { Html: text(message.html), Text: text(message.text) },
                  Headers: headers,
                  Attachments: attachments,
                },
              },
          EmailTags: Object.keys(tags).length > 0 ? pairs(tags, 'Name', 'Value') : undefined,
        }),
      );
    },
  },
  {
    id: 'sendinblue',
    channel: 'email',
    library: '@getbrevo/brevo@6.0.3',
    specification: { file: 'brevo.json', date: '2025-02-07', operations: ['POST /smtp/email'] },
    credentials: { ...FROM, apiKey: 'xkeysib-1' },
    headers: ['api-key', 'content-type'],
    differs: { 'body.headers.idempotencyKey': 'a repeat of Herald has the same key' },
    without: { 'an image': 'Brevo has no files that are shown inside the mail' },
    messages: { template: { customData: { templateId: 7, params: { name: 'Ada' } } } },
    answers: { '*': { status: 201, body: { messageId: '<id-1>' } } },
    async send(load, message) {
      const client = new (load('@getbrevo/brevo').BrevoClient)({ apiKey: 'xkeysib-1' });
      const { templateId, params, ...data } = message.customData ?? {};
      const custom = Object.keys(data).length > 0 ? { 'X-Mailin-custom': JSON.stringify(data) } : undefined;
      await client.transactionalEmails.sendTransacEmail({
        sender: sender(message),
        to: people(message, message.to),
        cc: message.cc && people(message, message.cc),
        bcc: message.bcc && people(message, message.bcc),
        replyTo: answer(message),
        ...(templateId
          ? { templateId, params }
          : { subject: message.subject, htmlContent: message.html, textContent: message.text }),
        // Its place in the documentation.
        headers: message.headers ?? custom,
        attachment: files(message, ({ name, base64 }) => ({ name, content: base64 })),
      });
    },
  },
  {
    id: 'plunk',
    channel: 'email',
    library: '@plunk/node@3.0.3',
    credentials: { ...FROM, apiKey: 'sk_1' },
    without: Object.fromEntries(
      [
        'custom data',
        'an image',
        'template',
        'unicode',
        'a file of 2 MB',
        'headers',
        'copies',
        'an answer to a name',
      ].map((name) => [name, 'the library is older than these fields of the API']),
    ),
    async send(load, { to, subject, html, from, senderName }) {
      const Plunk = load('@plunk/node').default;
      await new Plunk('sk_1').emails.send({ to, subject, body: html, from, name: senderName || undefined });
    },
  },
  {
    id: 'infobip-email',
    channel: 'email',
    library: '@infobip-api/sdk@0.3.2',
    credentials: { ...FROM, apiKey: 'key', baseUrl: 'xyz.api.infobip.com' },
    without: {
      headers: 'its API has none',
      'custom data': 'its API has none',
      'ten recipients': 'the library numbers them, which the documentation does not know',
    },
    differs: {
      ...Object.fromEntries(
        ['body.to', 'body.cc', 'body.bcc', "body.to['0']", "body.cc['0']", "body.bcc['0']"].map((place) => [
          place,
          'the library numbers the fields, and the documentation has plain addresses in fields of one name',
        ]),
      ),
      'body.replyTo': 'the documentation has a plain address',
      'body.inlineImage.type': 'the library tells the type only of some files',
    },
    messages: { template: { customData: { templateId: 7, defaultPlaceholders: { name: 'Ada' } } } },
    async send(load, message) {
      const { Infobip, AuthType } = load('@infobip-api/sdk');
      const client = new Infobip({ baseUrl: 'https://xyz.api.infobip.com', apiKey: 'key', authType: AuthType.ApiKey });
      const { templateId, defaultPlaceholders } = message.customData ?? {};
      const { subject, text, html } = message;
      const [attachment, inlineImage] = [false, true].map((isInline) =>
        message.attachments
          ?.filter(({ cid }) => (cid !== undefined) === isInline)
          .map(({ name, content, cid }) => ({ data: content, name: cid ?? name })),
      );
      await client.channels.email.send(
        written({
          from: box(sender(message)),
          to: message.to.length === 1 ? boxes(message, message.to)[0] : boxes(message, message.to),
          cc: joined(message, message.cc),
          bcc: joined(message, message.bcc),
          replyTo: answerBox(message),
          ...(templateId
            ? { templateId, defaultPlaceholders: JSON.stringify(defaultPlaceholders) }
            : { subject, text, html }),
          attachment: attachment?.length ? attachment : undefined,
          inlineImage: inlineImage?.length ? inlineImage : undefined,
          callbackData: message.id,
        }),
      );
    },
  },
  { id: 'nodemailer', channel: 'email', unchecked: 'it speaks SMTP, by nodemailer' },
  { id: 'outlook365', channel: 'email', unchecked: 'it speaks SMTP, by nodemailer' },
  { id: 'email-webhook', channel: 'email', unchecked: 'its receivers decide what they take' },
];
