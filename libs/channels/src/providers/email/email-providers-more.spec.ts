import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, PDF, SENDER, SERVER, type ProviderCase } from '../../../test/provider-case.js';

const FROM = { from: 'x@herald.example', senderName: 'x' };

const CASES: Omit<ProviderCase, 'channel' | 'message'>[] = [
  {
    id: 'resend',
    credentials: { ...FROM, apiKey: 're_secret' },
    request: {
      path: '/emails',
      headers: { authorization: 'Bearer re_secret', 'idempotency-key': 'key-1' },
      json: {
        from: SENDER,
        to: ['ada@example.com', 'bob@example.com'],
        cc: ['carl@example.com'],
        bcc: ['dora@example.com'],
        reply_to: 'reply@herald.example',
        subject: 'Größe ✓',
        html: '<p>Hello</p>',
        text: 'Hello',
        headers: { 'X-Campaign': 'spring' },
        attachments: [{ filename: 'a.pdf', content: PDF, content_type: 'application/pdf' }],
        tags: [
          { name: 'order', value: '7' },
          { name: 'kind', value: 'invoice' },
        ],
      },
    },
    success: { body: { id: 're-1' } },
    result: { id: 're-1' },
    failure: {
      body: { statusCode: 400, name: 'validation_error', message: 'Invalid `to` field' },
      words: 'Invalid `to`',
    },
    check: { method: 'GET', path: '/domains' },
  },
  {
    id: 'sendinblue',
    credentials: { ...FROM, apiKey: 'xkeysib-secret' },
    request: {
      path: '/v3/smtp/email',
      headers: { 'api-key': 'xkeysib-secret' },
      json: {
        sender: { email: 'news@herald.example', name: 'Herald "News"' },
        to: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
        cc: [{ email: 'carl@example.com' }],
        bcc: [{ email: 'dora@example.com' }],
        replyTo: { email: 'reply@herald.example' },
        subject: 'Größe ✓',
        htmlContent: '<p>Hello</p>',
        textContent: 'Hello',
        headers: {
          'X-Campaign': 'spring',
          'X-Mailin-custom': '{"order":7,"kind":"invoice"}',
          idempotencyKey: 'be297454-6978-8373-9e6d-6da85c4be9f3',
        },
        attachment: [{ name: 'a.pdf', content: PDF }],
      },
    },
    success: { status: 201, body: { messageId: '<1@smtp-relay.example>' } },
    result: { id: '<1@smtp-relay.example>' },
    failure: { body: { code: 'invalid_parameter', message: 'sender is not valid' }, words: 'sender is not valid' },
    check: { method: 'GET', path: '/v3/account' },
  },
  {
    id: 'mailersend',
    check: { method: 'GET', path: '/v1/api-quota' },
    credentials: { ...FROM, apiKey: 'mlsn.secret' },
    request: {
      path: '/v1/email',
      headers: { authorization: 'Bearer mlsn.secret' },
      json: {
        from: { email: 'news@herald.example', name: 'Herald "News"' },
        to: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
        cc: [{ email: 'carl@example.com' }],
        bcc: [{ email: 'dora@example.com' }],
        reply_to: { email: 'reply@herald.example' },
        subject: 'Größe ✓',
        html: '<p>Hello</p>',
        text: 'Hello',
        headers: [{ name: 'X-Campaign', value: 'spring' }],
        attachments: [{ content: PDF, filename: 'a.pdf', disposition: 'attachment' }],
      },
    },
    success: { status: 202, headers: { 'x-message-id': 'ms-1' }, body: '' },
    result: { id: 'ms-1' },
    failure: { body: { message: 'The from.email must be verified.', errors: {} }, words: 'must be verified' },
  },
  {
    id: 'sparkpost',
    check: { method: 'GET', path: '/api/v1/account' },
    credentials: { ...FROM, apiKey: 'sp-secret' },
    request: {
      path: '/api/v1/transmissions',
      headers: { authorization: 'sp-secret' },
      json: {
        recipients: [
          { address: { email: 'ada@example.com', header_to: 'ada@example.com, bob@example.com' } },
          { address: { email: 'bob@example.com', header_to: 'ada@example.com, bob@example.com' } },
          { address: { email: 'carl@example.com', header_to: 'ada@example.com, bob@example.com' } },
          { address: { email: 'dora@example.com', header_to: 'ada@example.com, bob@example.com' } },
        ],
        content: {
          from: { email: 'news@herald.example', name: 'Herald "News"' },
          subject: 'Größe ✓',
          html: '<p>Hello</p>',
          text: 'Hello',
          reply_to: 'reply@herald.example',
          headers: { 'X-Campaign': 'spring', CC: 'carl@example.com' },
          attachments: [{ name: 'a.pdf', type: 'application/pdf', data: PDF }],
        },
        metadata: { order: 7, kind: 'invoice' },
      },
    },
    success: { body: { results: { total_accepted_recipients: 4, id: '11668787484950529' } } },
    result: { id: '11668787484950529' },
    failure: {
      body: { errors: [{ message: 'invalid', description: 'Unconfigured sending domain' }] },
      words: 'Unconfigured',
    },
  },
  {
    id: 'ses',
    credentials: { ...FROM, apiKey: 'AKIDEXAMPLE', secretKey: 'aws-secret', region: 'eu-west-1' },
    request: {
      path: '/v2/email/outbound-emails',
      headers: {
        'x-amz-date': '20260102T030405Z',
        authorization: expect.stringMatching(
          /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20260102\/eu-west-1\/ses\/aws4_request, SignedHeaders=[a-z0-9;-]*host;x-amz-date, Signature=[0-9a-f]{64}$/,
        ),
      },
      json: {
        FromEmailAddress: SENDER,
        Destination: {
          ToAddresses: ['ada@example.com', 'bob@example.com'],
          CcAddresses: ['carl@example.com'],
          BccAddresses: ['dora@example.com'],
        },
        ReplyToAddresses: ['reply@herald.example'],
        Content: {
          Simple: {
            Subject: { Data: 'Größe ✓', Charset: 'UTF-8' },
            Body: { Html: { Data: '<p>Hello</p>', Charset: 'UTF-8' }, Text: { Data: 'Hello', Charset: 'UTF-8' } },
            Headers: [{ Name: 'X-Campaign', Value: 'spring' }],
            Attachments: [
              {
                FileName: 'a.pdf',
                ContentType: 'application/pdf',
                ContentDisposition: 'ATTACHMENT',
                ContentTransferEncoding: 'BASE64',
                RawContent: PDF,
              },
            ],
          },
        },
        EmailTags: [
          { Name: 'order', Value: '7' },
          { Name: 'kind', Value: 'invoice' },
        ],
      },
    },
    success: { body: { MessageId: 'ses-1' } },
    result: { id: 'ses-1' },
    failure: { body: { message: 'Email address is not verified.' }, words: 'not verified' },
    check: { method: 'GET', path: '/v2/email/account' },
  },
  {
    id: 'email-webhook',
    credentials: { ...FROM, webhookUrl: `${SERVER}/mail`, secretKey: 'hook-secret' },
    request: {
      path: '/mail',
      headers: { 'x-novu-signature': expect.stringMatching(/^[0-9a-f]{64}$/) as unknown, 'idempotency-key': 'key-1' },
      json: {
        id: 'm-1',
        from: 'news@herald.example',
        senderName: 'Herald "News"',
        to: ['ada@example.com', 'bob@example.com'],
        cc: ['carl@example.com'],
        bcc: ['dora@example.com'],
        replyTo: 'reply@herald.example',
        subject: 'Größe ✓',
        html: '<p>Hello</p>',
        text: 'Hello',
        headers: { 'X-Campaign': 'spring' },
        attachments: [{ name: 'a.pdf', mime: 'application/pdf', file: PDF }],
        customData: { order: 7, kind: 'invoice' },
      },
    },
    success: { body: { id: 'wh-1' } },
    result: { id: 'wh-1' },
    failure: { body: { message: 'no such list' }, words: 'no such list' },
  },
];

describe('email providers, the others', () => {
  for (const given of CASES) itBehavesLikeAnHttpProvider({ ...given, channel: 'email', message: EMAIL });
});
