import { isEmail, isLocale } from 'class-validator';
import { z } from 'zod';
import { chatAndPushProviderIds, pluginProviders, PROVIDER_CATALOGUE } from '#libs/channels';
import { type Fields, freeForm, NAME_LENGTH } from '#libs/http-kit';
import { span } from '#libs/schedule';
import {
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

const MAX_TEXT_LENGTH = 2_048;
const FREE_FORM_MEMBERS = { type: 'object', additionalProperties: true } as const;

/** Ignores surrounding whitespace. */
const subscriberId = z.string({ error: 'must be a string' }).superRefine((id, context) => {
  if (id.trim() === '') context.addIssue('must not be empty');
  else if (id.length > NAME_LENGTH) context.addIssue(`must not be longer than ${NAME_LENGTH} characters`);
});

const profileText = (description: string) =>
  described(z.string({ error: 'must be a string' }).max(MAX_TEXT_LENGTH, { error: 'must be a string' }).nullish(), {
    description,
  });
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
      credentials: described(documentAs(credentials, freeForm), {
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
      firstName: profileText('First name.'),
      lastName: profileText('Last name.'),
      phone: profileText('Phone number with country code.'),
      avatar: profileText('URL of the profile image.'),
      email: z
        .string({ error: 'must be an email' })
        .refine(isEmail, 'must be an email')
        .nullish()
        .meta({ description: 'Email address.', format: 'email' }),
      locale: described(
        z
          .string({ error: 'must be a locale such as en or en-US' })
          .refine(isLocale, 'must be a locale such as en or en-US')
          .nullish(),
        { description: 'Language, such as en or en-GB.' },
      ),
      data: described(freeForm.nullish(), { description: 'Free-form data that templates and conditions can use.' }),
      channels: described(list(channel, { error: 'must be an array' }).nullish(), {
        description: 'Credentials for chat and push providers.',
      }),
    },
    'must be a subscriberId, a subscriber with a subscriberId, or a topic with a topicKey',
  ),
  'A subscriber: created, or updated with the given fields.',
);
export type DescribedSubscriber = z.infer<typeof describedSubscriber>;

const UNNAMED_SUBSCRIBER = object({ subscriberId });

export const subscriber = dependent(z.union([z.string(), describedSubscriber]), (value) => {
  if (typeof value === 'string') return subscriberId;
  const isUnnamed = isObject(value) && typeof value['subscriberId'] !== 'string';
  return isUnnamed ? UNNAMED_SUBSCRIBER : describedSubscriber;
});

const WRONG_KEY = `must be a string of 1 to ${NAME_LENGTH} characters`;
const identifier = z.string({ error: WRONG_KEY }).min(1, { error: WRONG_KEY }).max(NAME_LENGTH, { error: WRONG_KEY });

export const topic = named(
  'TopicRecipientDto',
  object({
    type: described(z.literal('Topic', { error: 'must be Topic' }), { description: 'Always `Topic`.' }),
    topicKey: described(identifier, { description: 'Key of the topic.' }),
  }),
  'All subscribers of a topic.',
);

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
const addresses = (description: string) => described(unchecked(z.array(z.string())), { description });

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
    toRecipient: shownText('Address of the recipient; replaces that of the subscriber.'),
    from: shownText('Address of the sender.'),
    senderName: shownText('Name of the sender.'),
    replyTo: shownText('Reply-to address.'),
    to: addresses('Further recipients.'),
    cc: addresses('Recipients of a copy.'),
    bcc: addresses('Recipients of a blind copy.'),
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
});

const members = {
  email: described(email.nullish(), { description: 'Overrides for emails.' }),
  sms: described(
    open(
      object({
        content: shownText('Text.'),
        to: shownText('Phone number.'),
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

const EMAIL_PROVIDERS: ReadonlySet<string> = new Set(
  [...PROVIDER_CATALOGUE, ...pluginProviders().map(({ declaration }) => declaration)]
    .filter(({ channel: type }) => type === 'email')
    .map(({ id }) => id),
);

export const overrides = named(
  'EventOverridesDto',
  rule(object(members).meta({ additionalProperties: FREE_FORM_MEMBERS }), checkProviders),
);

function checkProviders(value: RawObject, report: Report): void {
  for (const [key, entry] of Object.entries(value)) {
    if (Object.hasOwn(members, key) || !isGiven(entry)) continue;
    reportFaults(report, EMAIL_PROVIDERS.has(key) ? emailProvider : object({}), entry, key);
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
