import { isEmail, isLocale } from 'class-validator';
import { z } from 'zod';
import { type Channel, chatAndPushProviderIds, pluginProviders, PROVIDER_CATALOGUE, readMailbox } from '#libs/channels';
import { type Fields, freeForm, isDots, NAME_LENGTH } from '#libs/http-kit';
import { span } from '#libs/schedule';
import {
  canonicalZone,
  custom,
  dependent,
  described,
  documentAs,
  isGiven,
  isObject,
  list,
  membersOf,
  named,
  object,
  open,
  type RawObject,
  type Report,
  reportFaults,
  rule,
  unchecked,
} from '#libs/validation';
import { CHAT_ADDRESSES, EMAIL_ADDRESSES, phone, SMS_ADDRESSES, TO_RECIPIENT } from './address.schema.js';
import {
  PROFILE_FIELDS,
  type ProfileKey,
  type ProfileKind,
  type SubscriberProfileDto,
} from '../../management/subscribers/index.js';

const MAX_TEXT_LENGTH = 2_048;
const MAX_EXCLUDED = 1_000;
const FREE_FORM_MEMBERS = { type: 'object', additionalProperties: true } as const;

const DOTS = "must not be '.' or '..': no URL could name it";

/** Ignores surrounding whitespace. */
const subscriberId = z.string({ error: 'must be a string' }).superRefine((id, context) => {
  if (id.trim() === '') context.addIssue('must not be empty');
  else if (isDots(id)) context.addIssue(DOTS);
  else if (id.length > NAME_LENGTH) context.addIssue(`must not be longer than ${NAME_LENGTH} characters`);
});

/** An empty text removes the value. */
const profileText = (error: string, isValid: (text: string) => boolean = () => true): z.ZodType =>
  z
    .string({ error })
    .max(MAX_TEXT_LENGTH, { error })
    .refine((text) => text === '' || isValid(text), { error });

/** More lenient than routes of subscribers: an event is not refused because a name is long, or a picture has no address. */
const PROFILE_KINDS: Readonly<Record<ProfileKind, z.ZodType>> = {
  text: profileText('must be a string'),
  phone: phone.max(MAX_TEXT_LENGTH),
  url: profileText('must be a string'),
  email: profileText('must be an email', (address) => isEmail(address) && readMailbox(address) !== undefined).meta({
    format: 'email',
  }),
  locale: profileText('must be a locale such as en or en-US', isLocale),
  timezone: profileText('must be a time zone such as Europe/London', (name) => canonicalZone(name) !== undefined),
  freeForm,
};

type ProfileMembers = {
  [Key in ProfileKey]: z.ZodOptional<z.ZodNullable<z.ZodType<NonNullable<SubscriberProfileDto[Key]>>>>;
};
const profileMembers = Object.fromEntries(
  PROFILE_FIELDS.map(({ name, kind, description }) => [
    name,
    described(PROFILE_KINDS[kind].nullish(), { description, nullable: true }),
  ]),
) as ProfileMembers;

const shownText = (description: string) => described(unchecked(z.string()), { description });
const anything = z.record(z.string(), z.unknown());

const credentials = open(
  object({
    webhookUrl: shownText('Webhook URL of a chat channel.'),
    channel: shownText('Channel, room, chat, topic or tag.'),
    alertUid: shownText('Grafana OnCall: id of the alert.'),
    title: shownText('Grafana OnCall: title of the alert.'),
    imageUrl: shownText('Grafana OnCall: URL of an image.'),
    state: shownText('Grafana OnCall: state of the alert.'),
    externalUrl: shownText('Grafana OnCall: URL with more details.'),
    deviceTokens: described(unchecked(z.array(z.string())), { description: 'Device tokens.' }),
  }),
);

const checkedCredentials = custom(credentials, (value, report) => {
  if (reportFaults(report, freeForm, value) === 0) reportFaults(report, CHAT_ADDRESSES, value);
});

const channel = named(
  'RecipientChannelDto',
  object(
    {
      providerId: described(documentAs(z.enum(chatAndPushProviderIds()), z.string({ error: 'must be a string' })), {
        description: 'Provider.',
      }),
      integrationIdentifier: described(z.string({ error: 'must be a string' }).nullish(), {
        description: 'Identifier of one integration of the provider. Default: the newest active one.',
      }),
      credentials: described(documentAs(credentials, checkedCredentials), {
        description: 'Credentials with which the provider reaches the subscriber; the keys depend on the provider.',
      }),
    },
    'must be an object with providerId and credentials',
  ),
  'Credentials of a recipient at one provider.',
);

const describedSubscriber = named(
  'SubscriberRecipientDto',
  object(
    {
      subscriberId: described(subscriberId, { description: 'Your identifier of the subscriber.' }),
      ...profileMembers,
      channels: described(list(channel, { error: 'must be an array' }).nullish(), {
        description: 'Credentials for chat and push providers.',
      }),
    },
    'must be a subscriberId, a subscriber with a subscriberId, or a topic with a topicKey',
  ),
  'A subscriber: created, or updated with the given fields. `null` and an empty text remove a value.',
);
export type DescribedSubscriber = z.infer<typeof describedSubscriber>;

const UNNAMED_SUBSCRIBER = object({ subscriberId });

export const subscriber = dependent(z.union([z.string(), describedSubscriber]), (value) => {
  if (typeof value === 'string') return subscriberId;
  const isUnnamed = isObject(value) && typeof value['subscriberId'] !== 'string';
  return isUnnamed ? UNNAMED_SUBSCRIBER : describedSubscriber;
});

const WRONG_KEY = `must be a string of 1 to ${NAME_LENGTH} characters`;
const identifier = z
  .string({ error: WRONG_KEY })
  .min(1, { error: WRONG_KEY })
  .max(NAME_LENGTH, { error: WRONG_KEY })
  .refine((key) => !isDots(key), DOTS);

export const topic = named(
  'TopicRecipientDto',
  object({
    type: described(z.literal('Topic', { error: 'must be Topic' }), { description: 'Always `Topic`.' }),
    topicKey: described(identifier, { description: 'Key of the topic.' }),
    exclude: described(
      list(subscriberId, {
        max: MAX_EXCLUDED,
        error: 'must be a list of subscriber ids',
        wrongLength: `must not have more than ${MAX_EXCLUDED} entries; take these subscribers out of the topic instead`,
      }).nullish(),
      { description: 'Ids of members of the topic who are left out.' },
    ),
  }),
  'The subscribers of a topic.',
);

export type TopicRecipient = z.infer<typeof topic>;

const recipient = z.union([
  z.string().meta({ title: 'Subscriber id', description: 'Your identifier of a subscriber.' }),
  describedSubscriber,
  topic,
]);

/** For the OpenAPI document only; `parseRecipients` reads them. */
export const recipients = z.union([...recipient.options, z.array(recipient)]);

export const SUBSCRIBER_FIELDS = membersOf(describedSubscriber) as Fields;
export const RECIPIENT_FIELDS: Fields = { ...SUBSCRIBER_FIELDS, ...(membersOf(topic) as Fields) };

const NONE = z.literal('');

export const actor = dependent(z.union([z.string(), describedSubscriber]), (value) =>
  value === '' ? NONE : subscriber,
).nullish();

const describedTenant = named(
  'EventTenantDto',
  object(
    {
      identifier: described(identifier, { description: 'Identifier of the tenant.' }),
      name: described(z.string({ error: 'must be a string' }).nullish(), { description: 'New display name.' }),
      data: described(freeForm.nullish(), { description: 'New data.' }),
    },
    'must be an identifier or an object with an identifier',
  ),
  'A tenant: its `name` and `data` are updated.',
);

export const tenant = dependent(z.union([z.string(), describedTenant]), (value) => {
  if (value === '') return NONE;
  return typeof value === 'string' ? identifier : describedTenant;
}).nullish();
export const TENANT_FIELDS = membersOf(describedTenant) as Fields;

const integrationIdentifier = shownText('Identifier of the integration to send with.');

const headers = custom(anything, (value, report) => {
  if (!isObject(value)) return report('must be an object of texts');
  for (const [name, header] of Object.entries(value)) {
    const isHeader = header === null || ['string', 'number', 'boolean'].includes(typeof header);
    const fault = isHeader ? headerNameFault(name) : 'must be a string, a number or a boolean';
    if (fault !== undefined) report(fault, name);
  }
});

const email = open(
  object({
    subject: shownText('Subject.'),
    html: shownText('HTML that replaces the content.'),
    text: shownText('Plain text.'),
    toRecipient: TO_RECIPIENT,
    ...EMAIL_ADDRESSES,
    senderName: shownText('Name of the sender.'),
    headers: described(headers.nullish(), { description: 'Additional headers of the email.' }),
    customData: described(unchecked(anything), { description: 'Provider-specific parameters.' }),
    ipPoolName: shownText('IP pool, for providers that support it.'),
    attachments: described(unchecked(z.array(anything)), { description: 'Attachments, as in `payload.attachments`.' }),
    layoutIdentifier: shownText('Identifier of the layout.'),
    integrationIdentifier,
  }),
);

/** Files are read with the event, and only from one place. */
const emailProvider = object({
  attachments: z.undefined({ error: 'is not allowed: put the files into overrides.email.attachments' }).nullish(),
  headers: headers.nullish(),
  ...EMAIL_ADDRESSES,
});

const smsProvider = object(SMS_ADDRESSES);

const members = {
  email: described(email.nullish(), { description: 'Overrides for emails.' }),
  sms: described(
    open(
      object({
        content: shownText('Text.'),
        ...SMS_ADDRESSES,
        from: shownText('Sender.'),
        integrationIdentifier,
      }),
    ).nullish(),
    { description: 'Overrides for text messages.' },
  ),
  chat: described(
    open(
      object({
        content: shownText('Text.'),
        integrationIdentifier,
        replaces: shownText('`transactionId` of an event whose message to the same address is replaced.'),
        replyTo: shownText('`transactionId` of an event whose message to the same address is answered in its thread.'),
      }),
    ).nullish(),
    { description: 'Overrides for chat messages.' },
  ),
  push: described(
    open(object({ title: shownText('Title.'), content: shownText('Text.'), integrationIdentifier })).nullish(),
    { description: 'Overrides for push messages.' },
  ),
  delay: described(dependent(span, (value) => (isObject(value) ? span : object({}))).nullish(), {
    description: 'Length of the delays and regular digests for this event.',
  }),
  layoutIdentifier: described(z.string({ error: 'must be a string' }).nullish(), {
    description: 'Identifier of the layout for all emails.',
  }),
};

const OF_CHANNELS: Readonly<Partial<Record<Channel, z.ZodType>>> = { email: emailProvider, sms: smsProvider };
/** What the overrides of a provider may be, by its id. */
const PROVIDER_OVERRIDES: ReadonlyMap<string, z.ZodType> = new Map(
  [...PROVIDER_CATALOGUE, ...pluginProviders().map(({ declaration }) => declaration)].map(({ id, channel: type }) => [
    id,
    OF_CHANNELS[type] ?? object({}),
  ]),
);

export const overrides = named(
  'EventOverridesDto',
  rule(object(members).meta({ additionalProperties: FREE_FORM_MEMBERS }), checkProviders),
);

export const OVERRIDE_FIELDS: Fields = {
  ...Object.fromEntries([...PROVIDER_OVERRIDES.keys()].map((id) => [id, true as const])),
  ...(membersOf(object(members)) as Fields),
};

function checkProviders(value: RawObject, report: Report): void {
  for (const [key, entry] of Object.entries(value)) {
    if (Object.hasOwn(members, key) || !isGiven(entry)) continue;
    reportFaults(report, PROVIDER_OVERRIDES.get(key) ?? object({}), entry, key);
  }
}

/** Set by fields of the override: as headers they would be duplicated or dropped. */
const FIELD_OF: ReadonlyMap<string, string> = new Map([
  ['from', 'from'],
  ['to', 'to'],
  ['cc', 'cc'],
  ['bcc', 'bcc'],
  ['subject', 'subject'],
]);
/** Headers for composition, signature and transport. */
const RESERVED =
  /^(content-(type|transfer-encoding|disposition|id)|mime-version|message-id|dkim-signature|arc-.*|authentication-results|received|return-path)$/i;
/** RFC 5322 field name. */
const NAME = /^[\x21-\x39\x3b-\x7e]+$/;

/** Undefined if the header may be added. */
function headerNameFault(name: string): string | undefined {
  if (!NAME.test(name)) return 'must have a name of letters, digits and other visible ASCII characters except a colon';
  if (RESERVED.test(name)) return 'is set by Herald and cannot be overridden';
  const field = FIELD_OF.get(name.toLowerCase());
  return field === undefined ? undefined : `is not allowed: use the field ${field} of the override`;
}
