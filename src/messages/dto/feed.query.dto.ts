import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { AsNumber, IsValidBy, PageQuery } from '#libs/http-kit';
import { payloadFaults } from '../payload-filter.js';
import { OptionalQueryBoolean, OptionalQueryList } from './query-parameters.js';

export class FeedQuery extends PageQuery {
  @ApiPropertyOptional({ type: [String], description: 'Only messages of these feeds; can be repeated.' })
  @OptionalQueryList()
  feedIdentifier?: string[];

  @ApiPropertyOptional({ type: Boolean, description: 'True: only seen messages. False: only unseen ones.' })
  @OptionalQueryBoolean()
  seen?: boolean;

  @ApiPropertyOptional({ type: Boolean, description: 'True: only read messages. False: only unread ones.' })
  @OptionalQueryBoolean()
  read?: boolean;

  /**
   * Only messages whose payload has these values: a JSON object in base64.
   * @example eyJvcmRlciI6eyJpZCI6N319
   */
  @IsOptional()
  @IsValidBy('isPayloadFilter', payloadFaults)
  payload?: string;
}

export class UnseenQuery {
  @ApiPropertyOptional({ type: [String], description: 'Only messages of these feeds; can be repeated.' })
  @OptionalQueryList()
  feedIdentifier?: string[];

  @ApiPropertyOptional({ type: Boolean, default: false, description: 'Counts seen messages instead of unseen ones.' })
  @OptionalQueryBoolean()
  seen?: boolean;

  /**
   * Largest number that is counted up to.
   * @example 100
   */
  @ApiPropertyOptional({ type: 'integer' })
  @IsOptional()
  @AsNumber()
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 100;
}
