import { WITHOUT_LIBRARY } from './unchecked.mjs';

const FROM = '+4930111222';
const digits = (number) => number.replace(/\D/g, '');
const isUnicode = (text) => /[^\n -~äöüÄÖÜß]/.test(text);
/** For libraries that call back. */
const called = (run) =>
  new Promise((resolve, reject) => run((error, result) => (error ? reject(error) : resolve(result))));

export const SMS_ROWS = [
  {
    id: 'twilio',
    channel: 'sms',
    library: 'twilio@6.3.1',
    specification: {
      file: 'twilio.json',
      date: '2026-04-14',
      operations: ['POST /2010-04-01/Accounts/{AccountSid}/Messages.json'],
    },
    credentials: { accountSid: 'AC1', token: 'token', from: FROM },
    answers: { '*': { status: 201, body: { sid: 'SM1', status: 'queued' } } },
    async send(load, { to, from, content, customData }) {
      await load('twilio')('AC1', 'token').messages.create({ to, from, body: content, ...customData });
    },
  },
  {
    id: 'nexmo',
    channel: 'sms',
    library: '@vonage/sms@1.24.1',
    specification: { file: 'nexmo.json', date: '2021-07-14', operations: ['POST /{format}'] },
    differs: Object.fromEntries(
      ['headers.content-type', 'headers.authorization', 'body.api_key', 'body.api_secret'].map((place) => [
        place,
        'the documentation sends a form with key and secret in it; the service takes both',
      ]),
    ),
    credentials: { apiKey: 'abcd1234', secretKey: 'secret', from: FROM },
    answers: { '*': { body: { 'message-count': '1', messages: [{ status: '0', 'message-id': 'id-1' }] } } },
    async send(load, { id, to, from, content }) {
      const { SMS } = load('@vonage/sms');
      const { Auth } = load('@vonage/auth');
      const client = new SMS(new Auth({ apiKey: 'abcd1234', apiSecret: 'secret' }));
      await client.send({
        to: digits(to),
        from,
        text: content,
        type: isUnicode(content) ? 'unicode' : 'text',
        clientRef: id,
      });
    },
  },
  {
    id: 'messagebird',
    channel: 'sms',
    library: 'messagebird@4.0.1',
    specification: { file: 'messagebird.json', date: '2022-07-04', operations: ['POST /messages'] },
    differs: { 'body.recipients': 'the documentation has a list, the library joins it with commas' },
    credentials: { accessKey: 'key', from: FROM },
    answers: { '*': { status: 201, body: { id: 'id-1' } } },
    async send(load, { id, to, from, content }) {
      const client = load('messagebird').initClient('key');
      const message = { originator: from, recipients: [digits(to)], body: content, datacoding: 'auto', reference: id };
      await called((done) => client.messages.create(message, done));
    },
  },
  {
    id: 'telnyx',
    channel: 'sms',
    library: 'telnyx@7.24.0',
    specification: { file: 'telnyx.json', date: '2025-02-06', operations: ['POST /messages'] },
    credentials: { apiKey: 'KEY1', messageProfileId: 'profile', from: FROM },
    answers: { '*': { body: { data: { id: 'id-1' } } } },
    async send(load, { to, from, content }) {
      const Telnyx = load('telnyx').default;
      await new Telnyx({ apiKey: 'KEY1' }).messages.send({ from, to, text: content, messaging_profile_id: 'profile' });
    },
  },
  {
    id: 'plivo',
    channel: 'sms',
    library: 'plivo@4.79.0',
    credentials: { accountSid: 'MA1', token: 'token', from: FROM },
    answers: { '*': { status: 202, body: { message_uuid: ['id-1'] } } },
    async send(load, { to, from, content }) {
      await new (load('plivo').Client)('MA1', 'token').messages.create({ src: from, dst: to, text: content });
    },
  },
  {
    id: 'sns',
    channel: 'sms',
    library: '@aws-sdk/client-sns@3.1169.0',
    specification: { file: 'sns.json', date: '2026-08-07', operations: ['Publish'] },
    credentials: { apiKey: 'AKIA1', secretKey: 'secret', region: 'eu-central-1', from: FROM },
    answers: {
      '*': {
        headers: { 'content-type': 'text/xml' },
        body: '<PublishResponse><PublishResult><MessageId>id-1</MessageId></PublishResult></PublishResponse>',
      },
    },
    async send(load, { to, from, content }) {
      const { SNSClient, PublishCommand } = load('@aws-sdk/client-sns');
      const client = new SNSClient({
        region: 'eu-central-1',
        credentials: { accessKeyId: 'AKIA1', secretAccessKey: 'secret' },
      });
      const text = (value) => ({ DataType: 'String', StringValue: value });
      const origin = from.startsWith('+') ? 'AWS.MM.SMS.OriginationNumber' : 'AWS.SNS.SMS.SenderID';
      const attributes = { 'AWS.SNS.SMS.SMSType': text('Transactional'), [origin]: text(from) };
      await client.send(new PublishCommand({ PhoneNumber: to, Message: content, MessageAttributes: attributes }));
    },
  },
  {
    id: 'infobip-sms',
    channel: 'sms',
    library: '@infobip-api/sdk@0.3.2',
    differs: { 'body.type': 'a word of the library, which the API does not know' },
    credentials: { apiKey: 'key', baseUrl: 'xyz.api.infobip.com', from: FROM },
    async send(load, { to, from, content }) {
      const { Infobip, AuthType } = load('@infobip-api/sdk');
      const client = new Infobip({ baseUrl: 'https://xyz.api.infobip.com', apiKey: 'key', authType: AuthType.ApiKey });
      await client.channels.sms.send({ messages: [{ destinations: [{ to: digits(to) }], from, text: content }] });
    },
  },
  {
    id: 'bandwidth',
    channel: 'sms',
    library: 'bandwidth-sdk@8.1.4',
    specification: { file: 'bandwidth.json', date: '2026-08-07', operations: ['POST /users/{accountId}/messages'] },
    credentials: { user: 'user', password: 'password', accountSid: '123', from: FROM, applicationId: 'app' },
    answers: { '*': { status: 202, body: { id: 'id-1' } } },
    async send(load, { id, to, from, content }) {
      const { Configuration, MessagesApi } = load('bandwidth-sdk');
      const api = new MessagesApi(new Configuration({ username: 'user', password: 'password' }));
      await api.createMessage('123', { applicationId: 'app', to: [to], from, text: content, tag: id });
    },
  },
  {
    id: 'azure-sms',
    channel: 'sms',
    library: '@azure/communication-sms@1.1.0',
    specification: { file: 'azure-sms.json', date: '2021-03-07', operations: ['POST /sms'] },
    differs: {
      'body.smsRecipients.*.repeatabilityRequestId': 'Herald does not know at a repeat when the first attempt was',
      'body.smsRecipients.*.repeatabilityFirstSent': 'Herald does not know at a repeat when the first attempt was',
    },
    credentials: { accessKey: 'endpoint=https://x.communication.azure.com/;accesskey=c2VjcmV0', from: FROM },
    headers: ['content-type'],
    answers: {
      '*': {
        status: 202,
        body: { value: [{ to: '+4915112345678', messageId: 'id-1', successful: true, httpStatusCode: 202 }] },
      },
    },
    async send(load, { id, to, from, content }) {
      const { SmsClient } = load('@azure/communication-sms');
      const client = new SmsClient('endpoint=https://x.communication.azure.com/;accesskey=c2VjcmV0');
      await client.send({ from, to: [to], message: content }, { enableDeliveryReport: true, tag: id });
    },
  },
  {
    id: 'africas-talking',
    channel: 'sms',
    library: 'africastalking@0.8.3',
    differs: { 'body.bulkSMSMode': '1 is what the service assumes' },
    credentials: { apiKey: 'key', user: 'shop', from: 'Herald' },
    headers: ['apikey', 'content-type'],
    answers: {
      '*': { status: 201, body: { SMSMessageData: { Recipients: [{ statusCode: 101, messageId: 'id-1' }] } } },
    },
    async send(load, { to, from, content }) {
      await load('africastalking')({ apiKey: 'key', username: 'shop' }).SMS.send({ to, from, message: content });
    },
  },
  {
    id: 'clicksend',
    channel: 'sms',
    library: 'clicksend@5.1.7',
    credentials: { user: 'user', apiKey: 'key', from: FROM },
    async send(load, { id, to, from, content }) {
      const { SMSApi, SmsMessage, SmsMessageCollection } = load('clicksend');
      const api = new SMSApi();
      Object.assign(api.authentications.BasicAuth, { username: 'user', password: 'key' });
      const message = Object.assign(new SmsMessage(), { to, from, body: content, source: 'herald', customString: id });
      await api.smsSendPost(Object.assign(new SmsMessageCollection(), { messages: [message] }));
    },
  },
  {
    id: 'sms77',
    channel: 'sms',
    library: '@seven.io/client@5.6.0',
    specification: { file: 'sms77.json', date: '2025-07-25', operations: ['POST /sms'] },
    credentials: { apiKey: 'key', from: FROM },
    headers: ['x-api-key', 'content-type'],
    answers: { '*': { body: { success: '100', messages: [{ id: 'id-1' }] } } },
    async send(load, { to, from, content }) {
      const { Client, SmsResource } = load('@seven.io/client');
      await new SmsResource(new Client({ apiKey: 'key' })).dispatch({ to: [to], text: content, from });
    },
  },
  {
    id: 'brevo-sms',
    channel: 'sms',
    library: '@getbrevo/brevo@6.0.3',
    specification: { file: 'brevo.json', date: '2025-02-07', operations: ['POST /transactionalSMS/sms'] },
    credentials: { apiKey: 'key', from: FROM },
    headers: ['api-key', 'content-type'],
    answers: { '*': { status: 201, body: { messageId: 1 } } },
    async send(load, { to, from, content }) {
      const client = new (load('@getbrevo/brevo').BrevoClient)({ apiKey: 'key' });
      await client.transactionalSms.sendTransacSms({
        sender: from,
        recipient: to,
        content,
        type: 'transactional',
        unicodeEnabled: isUnicode(content),
      });
    },
  },
  {
    id: 'bulk-sms',
    channel: 'sms',
    specification: {
      file: 'bulk-sms.json',
      date: '2026-06-16',
      operations: ['POST /messages'],
      differs: { body: 'the documentation takes a single message as well' },
    },
    credentials: { apiToken: 'id:secret', from: FROM },
    answers: { '*': { status: 201, body: [{ id: '1', status: { type: 'ACCEPTED' } }] } },
  },
  {
    id: 'firetext',
    channel: 'sms',
    specification: {
      file: 'firetext.json',
      date: '2024-10-23',
      operations: ['POST /sendsms'],
      differs: { 'body.apiKey': 'it stands among the security definitions, as part of the query' },
    },
    credentials: { apiKey: 'key', from: 'Herald' },
    answers: { '*': { body: '0:1 SMS successfully queued' } },
  },
  { id: 'ring-central', channel: 'sms', unchecked: 'the library of its maker takes a path and a body as they are' },
  { id: 'kannel', channel: 'sms', unchecked: 'it is a gateway without a library or a specification' },
  { id: 'generic-sms', channel: 'sms', unchecked: 'it is for gateways of any maker' },
  ...['gupshup', 'burst-sms', 'clickatell', 'forty-six-elks', 'termii', 'simpletexting'].map((id) => ({
    id,
    channel: 'sms',
    unchecked: WITHOUT_LIBRARY,
  })),
];
