import { signAws } from '../../declarative/aws-signature.js';
import { awsErrorCode, awsVerdict } from '../../declarative/aws-verdict.js';
import { defineHttpProvider } from '../../declarative/http-provider.js';
import { textAt } from '../../declarative/json-path.js';
import { customFields, dltFields, senderOf } from './sms-fields.js';

function attribute(index: number, name: string, value: string): Record<string, string> {
  const prefix = `MessageAttributes.entry.${index}`;
  return {
    [`${prefix}.Name`]: name,
    [`${prefix}.Value.DataType`]: 'String',
    [`${prefix}.Value.StringValue`]: value,
  };
}

function attributes(values: Readonly<Record<string, string>>): Record<string, string> {
  const all = Object.entries(values).flatMap(([name, value], place) =>
    Object.entries(attribute(place + 1, name, value)),
  );
  return Object.fromEntries(all);
}

export const sns = defineHttpProvider({
  id: 'sns',
  channel: 'sms',
  base: (c) => `https://sns.${c.hostLabel('region')}.amazonaws.com`,
  request: ({ message, c }) => {
    const from = senderOf(message, c);
    // A number is an origination number, anything else a sender id.
    const origin = from?.startsWith('+') === true ? 'AWS.MM.SMS.OriginationNumber' : 'AWS.SNS.SMS.SenderID';
    const dlt = dltFields(message, { entityId: 'AWS.MM.SMS.EntityId', templateId: 'AWS.MM.SMS.TemplateId' });
    const own = { ...(from !== undefined && { [origin]: from }), ...dlt };
    return {
      path: '/',
      form: {
        Action: 'Publish',
        Version: '2010-03-31',
        PhoneNumber: message.to,
        Message: message.content,
        ...attributes({ 'AWS.SNS.SMS.SMSType': 'Transactional', ...own }),
        ...customFields(message, 'dlt', 'PhoneNumber', 'TopicArn', 'TargetArn', 'Action'),
      },
    };
  },
  sign: (request, c, context) => signAws('sns', request, c, context),
  answer: {
    id: (json, { text }) =>
      textAt(json, 'PublishResponse.PublishResult.MessageId') ?? /<MessageId>([^<]+)<\/MessageId>/.exec(text)?.[1],
    error: ['Error.Message', 'message'],
    verdict: awsVerdict,
  },
  check: () => ({ method: 'POST', path: '/', form: { Action: 'GetSMSAttributes', Version: '2010-03-31' } }),
  // Keys that may only publish are refused after their signature was verified.
  checkAccepts: (answer) => awsErrorCode(answer) === 'AuthorizationError',
});
