import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { CHANNELS, type ProviderDeclaration } from '#libs/channels';
import { shown } from '#libs/http-kit';

const FIELD_TYPES = ['string', 'boolean', 'object', 'number-string'] as const;

/** A credential that a provider takes. */
export class CredentialFieldResponse {
  /** Key in `credentials`. @example apiKey */
  key: string;
  /** Type of the value; `number-string` is a whole number as a string. */
  @ApiProperty({ enum: FIELD_TYPES, example: 'string' })
  type: (typeof FIELD_TYPES)[number];
  /** Whether an active integration needs it. */
  required: boolean;
  /** Keys of which one makes it unnecessary; otherwise it is required. @example ["clientId"] */
  @ApiPropertyOptional({ type: [String] })
  unless?: string[];
  /** Whether it is a secret, which answers mask for most keys. */
  secret: boolean;
  /** Name for forms, in the words of the provider. @example Server API token */
  label: string;
  /** What belongs there. @example Server API token */
  description: string;
  /** Where to find the value in the service. @example Postmark: your server, API Tokens */
  where?: string;
  /** Whether only few need it, so that a form may hide it at first. */
  rare: boolean;
}

/** Credentials that are the same for everybody who uses one service through this provider. */
export class CredentialPresetResponse {
  /** Name of the service. @example Gmail */
  name: string;
  /** Credentials to begin with. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { host: 'smtp.gmail.com', port: '587' } })
  credentials: Readonly<Record<string, string | boolean>>;
}

/** A provider that integrations can have. */
export class ProviderResponse {
  /** The `providerId` of integrations; unique within its channel. @example postmark */
  id: string;
  /** Channel that it delivers on. */
  @ApiProperty({ enum: CHANNELS, example: 'email' })
  channel: string;
  /** Name for readers. @example Postmark */
  name: string;
  /** False for providers that can be stored, but that Herald cannot send through. */
  canSend: boolean;
  /** Whether credentials can be tested without sending. */
  canCheck: boolean;
  /** Public documentation of the provider. @example https://postmarkapp.com/developer */
  docs?: string;
  /** What to know about it. */
  note?: string;
  /** Steps in the service before its credentials exist, as Markdown. */
  @ApiProperty({ type: [String] })
  setup: string[];
  /** Services that speak it, with what to fill in. */
  @ApiProperty({ type: () => [CredentialPresetResponse] })
  presets: CredentialPresetResponse[];
  /** The credentials that it takes, in a sensible order. */
  @ApiProperty({ type: () => [CredentialFieldResponse] })
  credentials: CredentialFieldResponse[];
}

export function showProvider(declaration: ProviderDeclaration): ProviderResponse {
  const { id, channel, displayName, credentials, docs, note, state, supports, setup = [], presets = [] } = declaration;
  return shown(ProviderResponse, {
    id,
    channel,
    name: displayName,
    canSend: state === 'implemented',
    canCheck: supports.check === true,
    docs,
    note,
    setup: [...setup],
    presets: presets.map((preset) => shown(CredentialPresetResponse, { ...preset })),
    credentials: credentials.map(({ key, type, required, unless, secret, label, description, where, rare = false }) =>
      shown(CredentialFieldResponse, {
        key,
        type,
        required,
        unless: unless && [...unless],
        secret,
        label,
        description,
        where,
        rare,
      }),
    ),
  });
}
