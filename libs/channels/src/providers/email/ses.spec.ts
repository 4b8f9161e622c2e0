import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { EMAIL, FROM, PDF, SENDER } from '../../../test/provider-case.js';

describe('email provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'ses',
    channel: 'email',
    message: EMAIL,
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
  });
});
