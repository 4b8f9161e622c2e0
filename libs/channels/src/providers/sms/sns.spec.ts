import { itBehavesLikeAnHttpProvider } from '../../../test/provider-behaviour.js';
import { SMS } from '../../../test/provider-case.js';

describe('sms provider', () => {
  itBehavesLikeAnHttpProvider({
    id: 'sns',
    channel: 'sms',
    message: SMS,
    check: { method: 'POST', path: '/' },
    credentials: { apiKey: 'AKIDEXAMPLE', secretKey: 'aws-secret', region: 'eu-west-1' },
    request: {
      path: '/',
      headers: {
        authorization: expect.stringMatching(/Credential=AKIDEXAMPLE\/20260102\/eu-west-1\/sns\/aws4_request/),
      },
      form: {
        Action: 'Publish',
        Version: '2010-03-31',
        PhoneNumber: '+4915112345678',
        Message: 'Hello Ada',
        'MessageAttributes.entry.1.Name': 'AWS.SNS.SMS.SMSType',
        'MessageAttributes.entry.1.Value.DataType': 'String',
        'MessageAttributes.entry.1.Value.StringValue': 'Transactional',
        'MessageAttributes.entry.2.Name': 'AWS.MM.SMS.OriginationNumber',
        'MessageAttributes.entry.2.Value.DataType': 'String',
        'MessageAttributes.entry.2.Value.StringValue': '+4930111222',
      },
    },
    success: {
      body: '<PublishResponse><PublishResult><MessageId>sns-1</MessageId></PublishResult></PublishResponse>',
    },
    result: { id: 'sns-1' },
    failure: {
      body: '<ErrorResponse><Error><Code>InvalidParameter</Code><Message>Invalid parameter: PhoneNumber</Message></Error></ErrorResponse>',
      words: 'Invalid parameter: PhoneNumber',
    },
  });
});
