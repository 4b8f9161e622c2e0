import { isEmail, isLocale } from 'class-validator';
import { z } from 'zod';
import { chatAndPushProviderIds, readMailbox } from '#libs/channels';
import { type Fields, freeForm, isDots, NAME_LENGTH } from '#libs/http-kit';
import { FOREIGN_SECRET_FAULT, foreignSecretsIn } from '#libs/secrets';
import {
  canonicalZone,
  custom,
  dependent,
  described,
  documentAs,
  isObject,
  list,
  membersOf,
  named,
  object,
  open,
  reportFaults,
  unchecked,
} from '#libs/validation';
import { CHAT_ADDRESSES, phone } from './address.schema.js';
import {
  PROFILE_FIELDS,
  type ProfileKey,
  type ProfileKind,
  type SubscriberProfileDto,
} from '../../audience/subscribers/index.js';

const MAX_TEXT_LENGTH = 2_048;
const MAX_EXCLUDED = 1_000;

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
  if (reportFaults(report, freeForm, value) === 0 && reportFaults(report, CHAT_ADDRESSES, value) === 0) {
    for (const path of foreignSecretsIn(value)) report(FOREIGN_SECRET_FAULT, ...path);
  }
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
    'must be a subscriberId, a subscriber with a subscriberId, a topic with a topicKey, or a segment with a segmentId',
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

const MAX_RATE = 1_000_000;
const WRONG_RATE = 'must be a whole number from 1 to 1,000,000';

export const segment = named(
  'SegmentRecipientDto',
  object({
    type: described(z.literal('Segment', { error: 'must be Segment' }), { description: 'Always `Segment`.' }),
    segmentId: described(identifier, { description: 'Your identifier of the segment.' }),
    perMinute: described(
      z.int({ error: WRONG_RATE }).min(1, { error: WRONG_RATE }).max(MAX_RATE, { error: WRONG_RATE }).nullish(),
      {
        description:
          'How many of its subscribers begin in a minute. Default: all begin at once. Of several segments, the lowest number counts for all.',
        example: 600,
      },
    ),
  }),
  'The subscribers who belong to a segment when the event is expanded.',
);

export type SegmentRecipient = z.infer<typeof segment>;

const recipient = z.union([
  z.string().meta({ title: 'Subscriber id', description: 'Your identifier of a subscriber.' }),
  describedSubscriber,
  topic,
  segment,
]);

/** For the OpenAPI document only; `parseRecipients` reads them. */
export const recipients = z.union([...recipient.options, z.array(recipient)]);

export const SUBSCRIBER_FIELDS = membersOf(describedSubscriber) as Fields;
export const RECIPIENT_FIELDS: Fields = {
  ...SUBSCRIBER_FIELDS,
  ...(membersOf(topic) as Fields),
  ...(membersOf(segment) as Fields),
};

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
