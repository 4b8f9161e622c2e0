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
  /** What belongs there, in the words of the provider. @example Server API token */
  description: string;
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
  /** The credentials that it takes, in a sensible order. */
  @ApiProperty({ type: () => [CredentialFieldResponse] })
  credentials: CredentialFieldResponse[];
}

export function showProvider(declaration: ProviderDeclaration): ProviderResponse {
  const { id, channel, displayName, credentials, docs, note, state, supports } = declaration;
  return shown(ProviderResponse, {
    id,
    channel,
    name: displayName,
    canSend: state === 'implemented',
    canCheck: supports.check === true,
    ...(docs !== undefined && { docs }),
    ...(note !== undefined && { note }),
    credentials: credentials.map(({ key, type, required, unless, secret, description }) =>
      shown(CredentialFieldResponse, {
        key,
        type,
        required,
        ...(unless && { unless: [...unless] }),
        secret,
        description,
      }),
    ),
  });
}
