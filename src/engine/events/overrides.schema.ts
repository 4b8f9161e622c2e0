import { z } from 'zod';
import {
  ATTACHMENT_DISPOSITIONS,
  type Channel,
  CHANNELS,
  forbiddenFields,
  type OwnFields,
  pluginProviders,
  PROVIDER_CATALOGUE,
  type ProviderDeclaration,
} from '#libs/channels';
import { ANY, type Fields } from '#libs/http-kit';
import { span } from '#libs/schedule';
import {
  custom,
  dependent,
  described,
  isGiven,
  isObject,
  membersOf,
  named,
  object,
  oneOf,
  open,
  type RawObject,
  type Report,
  reportFaults,
  rule,
  unchecked,
} from '#libs/validation';
import { APPLIED_FIELDS } from '../delivery/index.js';
import { MAX_STEPS, SEVERITIES } from '../../content/workflows/index.js';
import { EMAIL_ADDRESSES, SMS_ADDRESSES, TO_RECIPIENT } from './address.schema.js';

/** Set by fields of the override: as headers they would be duplicated or dropped. */
const FIELD_OF: ReadonlyMap<string, string> = new Map([
  ['from', 'from'],
  ['to', 'to'],
  ['cc', 'cc'],
  ['bcc', 'bcc'],
  ['subject', 'subject'],
]);
/** Headers for composition, signature and transport. */
const RESERVED_HEADER =
  /^(content-(type|transfer-encoding|disposition|id)|mime-version|message-id|dkim-signature|arc-.*|authentication-results|received|return-path)$/i;
/** RFC 5322 field name. */
const HEADER_NAME = /^[\x21-\x39\x3b-\x7e]+$/;

/** Undefined if the header may be added. */
function headerNameFault(name: string): string | undefined {
  if (!HEADER_NAME.test(name))
    return 'must have a name of letters, digits and other visible ASCII characters except a colon';
  if (RESERVED_HEADER.test(name)) return 'is set by Herald and cannot be overridden';
  const field = FIELD_OF.get(name.toLowerCase());
  return field === undefined ? undefined : `is not allowed: use the field ${field} of the override`;
}

// A member that is declared here is applied, further ones of an open object are handed on, and all others are named in `Herald-Warning`.

const shownText = (description: string) => described(unchecked(z.string()), { description });
const anything = z.record(z.string(), z.unknown());
const integrationIdentifier = shownText('Identifier of the integration to send with.');

const headers = custom(anything, (value, report) => {
  if (!isObject(value)) return report('must be an object of texts');
  for (const [name, header] of Object.entries(value)) {
    const isHeader = header === null || ['string', 'number', 'boolean'].includes(typeof header);
    const fault = isHeader ? headerNameFault(name) : 'must be a string, a number or a boolean';
    if (fault !== undefined) report(fault, name);
  }
});

/** A file of an event; `attachments.ts` reads it. */
const attachment = object({
  file: shownText('The content in base64.'),
  name: shownText('File name.'),
  mime: shownText('Media type.'),
  channels: described(unchecked(z.array(z.enum(CHANNELS))), { description: 'Channels that it is for.' }),
  cid: shownText('Content id: HTML shows the file as `cid:<id>`.'),
  disposition: described(unchecked(z.enum(ATTACHMENT_DISPOSITIONS)), {
    description: 'Whether the file is shown inside the mail; default: `inline` with a `cid`.',
  }),
});

type Fielded<C extends keyof typeof APPLIED_FIELDS> = Record<(typeof APPLIED_FIELDS)[C][number], z.ZodType>;

/** Of the channel, and of each of its providers. */
const EMAIL: Fielded<'email'> = {
  subject: shownText('Subject.'),
  html: shownText('HTML that replaces the content.'),
  text: shownText('Plain text.'),
  ...EMAIL_ADDRESSES,
  senderName: shownText('Name of the sender.'),
  headers: described(headers.nullish(), { description: 'Additional headers of the email.' }),
  customData: described(unchecked(anything), {
    description: 'Data that goes with the email, and the template that is stored at the provider.',
  }),
  ipPoolName: shownText('IP pool, for providers that support it.'),
};

const layoutId = described(z.string({ error: 'must be a string, or null for no layout' }).nullish(), {
  description: 'Identifier or id of the layout; `null`: none.',
  nullable: true,
});

const SMS: Fielded<'sms'> = {
  content: shownText('Text.'),
  ...SMS_ADDRESSES,
  from: shownText('Sender.'),
  customData: described(unchecked(anything), { description: 'Fields of the request to the provider.' }),
};

const channels = {
  email: described(
    object({
      ...EMAIL,
      toRecipient: TO_RECIPIENT,
      attachments: described(unchecked(z.array(attachment)), {
        description: 'Attachments, as in `payload.attachments`.',
      }),
      layoutIdentifier: shownText('Identifier of the layout.'),
      layoutId,
      integrationIdentifier,
    }).nullish(),
    { description: 'Overrides for emails.' },
  ),
  sms: described(object({ ...SMS, integrationIdentifier }).nullish(), { description: 'Overrides for text messages.' }),
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
};

const byProvider = described(rule(anything, checkProviders), {
  description: 'Overrides by the id of a provider, as beside the channels.',
}).nullish();

const ofStep = object({ providers: byProvider, layoutId });

const members = {
  ...channels,
  delay: described(dependent(span, (value) => (isObject(value) ? span : object({}))).nullish(), {
    description: 'Length of the delays and regular digests for this event.',
  }),
  layoutIdentifier: described(z.string({ error: 'must be a string' }).nullish(), {
    description: 'Identifier of the layout for all emails.',
  }),
  layoutId,
  severity: described(oneOf(SEVERITIES).nullish(), { description: 'Severity, instead of that of the workflow.' }),
  // Its files lie in one place.
  channels: described(
    object({
      ...channels,
      email: object({
        ...EMAIL,
        toRecipient: TO_RECIPIENT,
        layoutId,
        integrationIdentifier,
        ...withoutFiles(),
      }).nullish(),
    }).nullish(),
    { description: 'The same by channel, as later clients send it.' },
  ),
  providers: byProvider,
  steps: described(
    custom(z.record(z.string(), ofStep), (value, report) => {
      if (!isObject(value)) return report('must be an object with a member for each step');
      const steps = Object.entries(value);
      if (steps.length > MAX_STEPS) return report(`must have at most ${MAX_STEPS} steps`);
      for (const [key, entry] of steps) if (isGiven(entry)) reportFaults(report, ofStep, entry, key);
    }).nullish(),
    { description: 'Overrides for one step, by its `stepId`, `uuid` or id.' },
  ),
};

/** Files are read with the event, and only from one place. */
function withoutFiles() {
  const error = 'is not allowed: put the files into overrides.email.attachments';
  return { attachments: z.undefined({ error }).nullish() };
}

const APPLIED: Readonly<Partial<Record<Channel, z.ZodRawShape>>> = { email: EMAIL, sms: SMS };

/** What the overrides of a provider may be. Those whose further fields it takes are an open object. */
function overridesOf({ channel, ownFields }: Pick<ProviderDeclaration, 'channel' | 'ownFields'>): z.ZodType {
  const only = (ownFields?.only ?? []).map((name) => [name, unchecked(z.unknown())] as const);
  const applied = object({
    ...(channel === 'email' && withoutFiles()),
    ...APPLIED[channel],
    ...Object.fromEntries(only),
  });
  if (ownFields === undefined || only.length > 0) return applied;
  return rule(open(applied), (value, report) => {
    const body = checkOwn(value, ownFields, report);
    reportFaults(report, applied, body, '_passthrough', 'body');
  });
}

/** @returns the fields that stand apart from the others */
function checkOwn(value: RawObject, ownFields: OwnFields, report: Report): RawObject {
  const { _passthrough: raw = {}, ...given } = value;
  const fields = Object.fromEntries(Object.entries(given).filter(([key]) => !Object.hasOwn(EMAIL, key)));
  for (const path of forbiddenFields(fields, ownFields)) report(SET_BY_HERALD, path);
  for (const key of isObject(raw) ? Object.keys(raw) : []) {
    if (key !== 'body') report('is not allowed: only a body is handed on', '_passthrough', key);
  }
  const { body = {} } = isObject(raw) ? raw : { body: raw };
  if (!isObject(body)) {
    report('must have an object as its body', '_passthrough');
    return {};
  }
  for (const path of forbiddenFields(body, ownFields)) report(SET_BY_HERALD, '_passthrough', 'body', path);
  return body;
}

const SET_BY_HERALD = 'is not allowed: use to, cc, bcc and headers of the override';

/** An id can be used in two channels: what a message can be sent through comes last, and counts. */
const PROVIDER_OVERRIDES: ReadonlyMap<string, z.ZodType> = new Map(
  [...PROVIDER_CATALOGUE, ...pluginProviders().map(({ declaration }) => declaration)]
    .toSorted((a, b) => Number(a.state === 'implemented') - Number(b.state === 'implemented'))
    .map((declaration) => [declaration.id, overridesOf(declaration)]),
);

function checkProviders(value: RawObject, report: Report): void {
  for (const [key, entry] of Object.entries(value)) {
    const schema = PROVIDER_OVERRIDES.get(key);
    if (schema !== undefined && isGiven(entry)) reportFaults(report, schema, entry, key);
  }
}

export const overrides = named(
  'EventOverridesDto',
  rule(open(object(members)), (value, report) => checkProviders(value, report)),
);

/** Only when a message is sent it is known which provider sends it: the trail names what that one does not take. */
const PROVIDER_FIELDS: Fields = Object.fromEntries([...PROVIDER_OVERRIDES.keys()].map((id) => [id, true as const]));
const OF_STEP: Fields = { ...(membersOf(ofStep) as Fields), providers: PROVIDER_FIELDS };

export const OVERRIDE_FIELDS: Fields = {
  ...PROVIDER_FIELDS,
  ...(membersOf(object(members)) as Fields),
  providers: PROVIDER_FIELDS,
  steps: { [ANY]: OF_STEP },
};
