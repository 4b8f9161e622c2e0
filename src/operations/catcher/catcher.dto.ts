import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { type Channel, CHANNELS } from '#libs/channels';
import { OptionalString, PageQuery } from '#libs/http-kit';

export class SwitchCatcherDto {
  /**
   * Whether messages of email, SMS, chat and push are kept instead of sent.
   * @example false
   */
  @IsBoolean()
  isOn: boolean;
}

export class ListCaughtQuery extends PageQuery {
  @ApiPropertyOptional({ enum: CHANNELS, description: 'Only messages of this channel.' })
  @IsOptional()
  @IsIn(CHANNELS)
  channel?: Channel;

  /** Only messages of this subscriber. */
  @OptionalString()
  subscriberId?: string;
}
