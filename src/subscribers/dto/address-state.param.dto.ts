import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { type AddressChannel } from '../resolved-subscriber.js';

const ADDRESS_CHANNELS: readonly AddressChannel[] = ['email', 'sms'];

/** Which address of which subscriber. */
export class AddressStateParams {
  /** @example ada */
  @IsString()
  subscriberId: string;

  /** `email`, or `sms` for the phone number. */
  @IsIn(ADDRESS_CHANNELS)
  @ApiProperty({ enum: ADDRESS_CHANNELS })
  channel: AddressChannel;
}
