import { CHAT_AND_PUSH_PROVIDER_IDS } from '#libs/channels';
import { TIME_UNITS } from '#libs/schedule';

const FREE_FORM = { type: 'object' as const, additionalProperties: true };
const text = (description: string): { type: 'string'; description: string } => ({ type: 'string', description });

const CREDENTIALS = {
  type: 'object' as const,
  description: 'What the provider reaches the subscriber with; each provider uses its own keys.',
  properties: {
    webhookUrl: text('Address of a chat channel.'),
    channel: text('Channel or room.'),
    alertUid: text('Grafana OnCall: id of the alert.'),
    title: text('Grafana OnCall: title of the alert.'),
    imageUrl: text('Grafana OnCall: address of an image.'),
    state: text('Grafana OnCall: state of the alert.'),
    externalUrl: text('Grafana OnCall: address with more details.'),
    deviceTokens: { type: 'array' as const, items: { type: 'string' as const }, description: 'Tokens of devices.' },
  },
};

const CHANNEL = {
  type: 'object' as const,
  required: ['providerId', 'credentials'],
  properties: {
    providerId: { type: 'string' as const, enum: [...CHAT_AND_PUSH_PROVIDER_IDS], description: 'Provider.' },
    integrationIdentifier: text('Which integration of the provider; without it the newest active one.'),
    credentials: CREDENTIALS,
  },
};

/** A subscriber who is described in a trigger. */
export const SUBSCRIBER_SCHEMA = {
  title: 'Subscriber',
  type: 'object' as const,
  required: ['subscriberId'],
  description: 'Creates the subscriber, or updates the fields that are given.',
  properties: {
    subscriberId: text('Your own identifier of the subscriber.'),
    email: { type: 'string' as const, format: 'email', description: 'Email address.' },
    firstName: text('First name.'),
    lastName: text('Last name.'),
    phone: text('Phone number with country code.'),
    avatar: text('Address of the profile image.'),
    locale: text('Language, such as en or en-GB.'),
    data: { ...FREE_FORM, description: 'Anything else that templates and conditions may use.' },
    channels: { type: 'array' as const, items: CHANNEL, description: 'Credentials for chat and push providers.' },
  },
};

const TOPIC_SCHEMA = {
  title: 'Topic',
  type: 'object' as const,
  required: ['type', 'topicKey'],
  description: 'All subscribers of a topic.',
  properties: {
    type: { type: 'string' as const, enum: ['Topic'], description: 'Always `Topic`.' },
    topicKey: text('Key of the topic.'),
  },
};

/** One recipient of a trigger. */
export const RECIPIENT_SCHEMAS = [
  { title: 'Subscriber id', type: 'string' as const, description: 'Your own identifier of a subscriber.' },
  SUBSCRIBER_SCHEMA,
  TOPIC_SCHEMA,
];

/** A tenant that is described in a trigger. */
export const TENANT_SCHEMA = {
  title: 'Tenant',
  type: 'object' as const,
  required: ['identifier'],
  properties: {
    identifier: text('Identifier of the tenant.'),
    name: text('New display name.'),
    data: { ...FREE_FORM, description: 'New data.' },
  },
};

const ADDRESSES = { type: 'array' as const, items: { type: 'string' as const } };
const INTEGRATION = text('Identifier of the integration that sends.');

/** What a trigger can override. Keys that Herald does not know are passed on to providers. */
export const OVERRIDES_SCHEMA = {
  type: 'object' as const,
  additionalProperties: FREE_FORM,
  properties: {
    email: {
      ...FREE_FORM,
      description: 'Changes emails.',
      properties: {
        subject: text('Subject.'),
        html: text('HTML in the place of the content.'),
        text: text('Plain text.'),
        toRecipient: text('Address of the recipient, in the place of the one of the subscriber.'),
        from: text('Address of the sender.'),
        senderName: text('Name of the sender.'),
        replyTo: text('Address for answers.'),
        to: { ...ADDRESSES, description: 'Further recipients.' },
        cc: { ...ADDRESSES, description: 'Copies.' },
        bcc: { ...ADDRESSES, description: 'Blind copies.' },
        headers: { ...FREE_FORM, description: 'Headers of the mail.' },
        customData: { ...FREE_FORM, description: 'Parameters of the provider.' },
        ipPoolName: text('Pool of IP addresses, with providers that have such.'),
        attachments: { type: 'array' as const, items: FREE_FORM, description: 'Files, as in `payload.attachments`.' },
        layoutIdentifier: text('Identifier of the layout.'),
        integrationIdentifier: INTEGRATION,
      },
    },
    sms: {
      ...FREE_FORM,
      description: 'Changes text messages.',
      properties: {
        content: text('Text.'),
        to: text('Phone number.'),
        from: text('Sender.'),
        integrationIdentifier: INTEGRATION,
      },
    },
    chat: {
      ...FREE_FORM,
      description: 'Changes chat messages.',
      properties: { content: text('Text.'), integrationIdentifier: INTEGRATION },
    },
    push: {
      ...FREE_FORM,
      description: 'Changes push messages.',
      properties: { title: text('Title.'), content: text('Text.'), integrationIdentifier: INTEGRATION },
    },
    delay: {
      type: 'object' as const,
      description: 'Length of delays and of regular digests of this event.',
      required: ['amount', 'unit'],
      properties: {
        amount: { type: 'number' as const, description: 'Length in `unit`.' },
        unit: { type: 'string' as const, enum: [...TIME_UNITS], description: 'Unit.' },
      },
    },
    layoutIdentifier: text('Identifier of the layout of all emails.'),
  },
  example: { email: { subject: 'Another subject' } },
};
