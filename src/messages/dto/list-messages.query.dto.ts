import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { CHANNELS, type Channel } from '#libs/channels';
import { OptionalString, PageQuery } from '#libs/http-kit';
import { OptionalQueryList } from './query-parameters.js';

export class ListMessagesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: CHANNELS, description: 'Only messages of this channel.' })
  @IsOptional()
  @IsIn(CHANNELS)
  channel?: Channel;

  /** Only messages of this subscriber. */
  @OptionalString()
  subscriberId?: string;

  @ApiPropertyOptional({ type: [String], description: 'Only messages of these transactions; can be repeated.' })
  @OptionalQueryList()
  transactionId?: string[];
}

export class DeleteTransactionQuery {
  @ApiPropertyOptional({ enum: CHANNELS, description: 'Only messages of this channel.' })
  @IsOptional()
  @IsIn(CHANNELS)
  channel?: Channel;
}
