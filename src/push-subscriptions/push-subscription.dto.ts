import { Type } from 'class-transformer';
import { IsObject, IsUrl, MaxLength, ValidateNested } from 'class-validator';
import { IsValidBy } from '#libs/http-kit';

const URL_LENGTH = 2_048;
const HTTPS_URL = { protocols: ['https'], require_protocol: true, require_tld: true, disallow_auth: true };

function bytesOf(count: number): (value: unknown, property: string) => string[] {
  const length = Math.ceil((count * 4) / 3);
  const isValid = (value: unknown): boolean =>
    typeof value === 'string' && value.length === length && /^[\w-]*$/.test(value);
  return (value, property) => (isValid(value) ? [] : [`${property} must be ${count} bytes in base64url`]);
}

class PushKeysDto {
  /**
   * Public key of the browser: 65 bytes in base64url.
   * @example BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4
   */
  @IsValidBy('isPushKey', bytesOf(65))
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
export class CreatePushSubscriptionDto extends RemovePushSubscriptionDto {
  /** Keys that messages are encrypted with. */
  @IsObject()
  @ValidateNested()
  @Type(() => PushKeysDto)
  keys: PushKeysDto;
}
