import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { isEmail, IsEmail, IsLocale, IsOptional, IsString, IsTimeZone, IsUrl, MaxLength } from 'class-validator';
import { phoneNumber, readMailbox } from '#libs/channels';
import { FieldList, IsFreeForm, IsValidBy, NAME_LENGTH, type WithFields } from '#libs/http-kit';

const AVATAR_LENGTH = 2_048;
const HTTP_URL = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };
export const FREE_FORM = { type: 'object', additionalProperties: true } as const;

/** Texts that no mail server and no gateway takes. */
function mailboxFaults(value: unknown, property: string): string[] {
  const isWrong = typeof value === 'string' && isEmail(value) && readMailbox(value) === undefined;
  return isWrong ? [`${property} must be an email address without quotes`] : [];
}

function phoneFaults(value: unknown, property: string): string[] {
  const isWrong = typeof value === 'string' && value.trim() !== '' && phoneNumber(value) === undefined;
  return isWrong ? [`${property} must be one phone number`] : [];
}

/** An empty text is null: both remove the value. */
const text = (maxLength: number, check: PropertyDecorator, api: ApiPropertyOptions = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === '' ? null : value)),
    IsOptional(),
    check,
    MaxLength(maxLength),
    ApiPropertyOptional({ type: String, maxLength, nullable: true, ...api }),
  );

/** What a field can hold, and how requests with it are checked. */
const KINDS = {
  text: text(NAME_LENGTH, IsString()),
  phone: text(NAME_LENGTH, applyDecorators(IsString(), IsValidBy('isPhone', phoneFaults))),
  email: text(NAME_LENGTH, applyDecorators(IsEmail(), IsValidBy('isMailbox', mailboxFaults)), { format: 'email' }),
  url: text(AVATAR_LENGTH, IsUrl(HTTP_URL, { message: '$property must be an http or https URL' }), { format: 'uri' }),
  locale: text(NAME_LENGTH, IsLocale()),
  timezone: text(NAME_LENGTH, IsTimeZone()),
  freeForm: applyDecorators(IsOptional(), IsFreeForm(), ApiPropertyOptional({ ...FREE_FORM, nullable: true })),
} as const satisfies Record<string, PropertyDecorator>;
export type ProfileKind = keyof typeof KINDS;

interface Declaration {
  readonly kind: ProfileKind;
  readonly description: string;
  readonly example: unknown;
  /** In forms. */
  readonly label: string;
  /** Headings of its column in files, besides the name and the label. */
  readonly headings?: readonly string[];
}

const profile = new FieldList<Declaration, ProfileKey>(({ kind, description, example }) =>
  applyDecorators(KINDS[kind], ApiPropertyOptional({ description, example })),
);

/**
 * Profile of a subscriber. `null` and an empty text remove a value.
 *
 * The only list of its fields: the stored record, all requests and responses, the variables of templates, the API document, the
 * clients and the console are made of it.
 */
export class SubscriberProfileDto {
  @profile.declared({
    kind: 'text',
    description: 'First name.',
    example: 'Ada',
    label: 'First name',
    headings: ['given name'],
  })
  firstName?: string | null;

  @profile.declared({
    kind: 'text',
    description: 'Last name.',
    example: 'Lovelace',
    label: 'Last name',
    headings: ['surname', 'family name'],
  })
  lastName?: string | null;

  @profile.declared({
    kind: 'email',
    description: 'Email address.',
    example: 'ada@example.com',
    label: 'Email',
    headings: ['mail', 'email address'],
  })
  email?: string | null;

  @profile.declared({
    kind: 'phone',
    description: 'Phone number with country code.',
    example: '+15551230100',
    label: 'Phone',
    headings: ['phone number', 'mobile'],
  })
  phone?: string | null;

  @profile.declared({
    kind: 'url',
    description: 'URL of the profile image.',
    example: 'https://example.com/ada.png',
    label: 'Picture (URL)',
    headings: ['picture'],
  })
  avatar?: string | null;

  @profile.declared({
    kind: 'locale',
    description: 'Language with an optional region.',
    example: 'en-GB',
    label: 'Language',
  })
  locale?: string | null;

  @profile.declared({
    kind: 'timezone',
    description:
      "Time zone, for the hours of the subscriber's schedule, and for steps whose `timezone` is `subscriber`.",
    example: 'Europe/London',
    label: 'Time zone',
  })
  timezone?: string | null;

  @profile.declared({
    kind: 'freeForm',
    description:
      'Free-form data that templates and conditions can use; returned exactly as sent, and replaced as a whole.',
    example: { plan: 'pro' },
    label: 'Data',
  })
  data?: Record<string, unknown> | null;
}

export type ProfileKey = keyof SubscriberProfileDto;
/** As it is stored and shown. */
export type StoredProfile = { [Key in ProfileKey]?: NonNullable<SubscriberProfileDto[Key]> };

export const PROFILE_FIELDS = profile.fields;
export const PROFILE_KEYS: readonly ProfileKey[] = PROFILE_FIELDS.map(({ name }) => name);

export type WithProfile<Base extends abstract new () => object> = WithFields<Base, StoredProfile>;
export const HasProfile = profile.shared.bind(profile);

/** The fields that are given: null for those to remove. */
export function givenProfile(sent: SubscriberProfileDto): SubscriberProfileDto {
  const given = PROFILE_KEYS.flatMap((key) => (sent[key] === undefined ? [] : [[key, sent[key] || null]]));
  return Object.fromEntries(given) as SubscriberProfileDto;
}
