import { ECDH } from 'node:crypto';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsObject, IsUrl, Matches, MaxLength, ValidateNested } from 'class-validator';
import { isPublicAddress, literalAddress } from '#libs/channels';
import { IsValidBy } from '#libs/http-kit';

const URL_LENGTH = 2_048;
const TOKEN_LENGTH = 4_096;
const HTTPS_URL = { protocols: ['https'], require_protocol: true, require_tld: true, disallow_auth: true };

function bytesOf(count: number): (value: unknown, property: string) => string[] {
  const length = Math.ceil((count * 4) / 3);
  const isValid = (value: unknown): boolean =>
    typeof value === 'string' && value.length === length && /^[\w-]*$/.test(value);
  return (value, property) => (isValid(value) ? [] : [`${property} must be ${count} bytes in base64url`]);
}

/** Messages are encrypted for this point, so any other value would fail with each of them. */
function pointOfCurve(value: unknown, property: string): string[] {
  const faults = bytesOf(65)(value, property);
  if (faults.length > 0) return faults;
  try {
    ECDH.convertKey(String(value), 'prime256v1', 'base64url', 'hex', 'compressed');
    return [];
  } catch {
    return [`${property} must be a public key of the curve P-256, as the browser gives it`];
  }
}

/** Names are judged when a message is sent, by the address that they have then. */
function isPublicEndpoint(value: unknown, property: string): string[] {
  if (typeof value !== 'string' || !URL.canParse(value)) return [];
  const address = literalAddress(new URL(value).hostname);
  if (address === undefined || isPublicAddress(address)) return [];
  return [`${property} must not be a private address`];
}

class PushKeysDto {
  /**
   * Public key of the browser: 65 bytes in base64url.
   * @example BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4
   */
  @IsValidBy('isPushKey', pointOfCurve)
  p256dh: string;

  /**
   * Secret of the subscription: 16 bytes in base64url.
   * @example BTBZMqHH6r4Tts7J_aSIgg
   */
  @IsValidBy('isPushSecret', bytesOf(16))
  auth: string;
}

export class RemovePushSubscriptionDto {
  /**
   * URL of the push service for this browser. It must be a public `https` URL.
   * @example https://updates.push.example.com/wpush/v2/gAAAAABl
   */
  @MaxLength(URL_LENGTH)
  @IsUrl(HTTPS_URL, { message: '$property must be an https URL' })
  endpoint: string;
}

/** A `PushSubscription` of a browser, as `JSON.stringify` writes it. */
export class CreatePushSubscriptionDto {
  /**
   * URL of the push service for this browser. It must be a public `https` URL.
   * @example https://updates.push.example.com/wpush/v2/gAAAAABl
   */
  @MaxLength(URL_LENGTH)
  @IsUrl(HTTPS_URL, { message: '$property must be an https URL' })
  @IsValidBy('isPublicEndpoint', isPublicEndpoint)
  endpoint: string;

  /** Keys that messages are encrypted with. */
  @IsObject()
  @ValidateNested()
  @Type(() => PushKeysDto)
  keys: PushKeysDto;
}

/** Their tokens name one device. Those of other providers name people, so subscribers do not choose them. */
const DEVICE_PROVIDERS = ['apns', 'expo', 'fcm', 'one-signal'] as const;

/** Where an application on a device gets push messages. */
export class DeviceTokenDto {
  /**
   * Provider of an active integration.
   * @example expo
   */
  @IsIn(DEVICE_PROVIDERS)
  @ApiProperty({ enum: DEVICE_PROVIDERS })
  providerId: (typeof DEVICE_PROVIDERS)[number];

  /**
   * What the provider calls the device: a token, or a subscription id of OneSignal.
   * @example ExponentPushToken[token-of-a-phone]
   */
  @MaxLength(TOKEN_LENGTH)
  @Matches(/^[\w:[\]-]+$/, { message: '$property must be a token of letters, digits, and any of _ : - [ ]' })
  deviceToken: string;
}
