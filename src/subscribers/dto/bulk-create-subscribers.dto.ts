import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, ValidateNested } from 'class-validator';
import { CreateSubscriberDto } from './create-subscriber.dto.js';

/** Subscribers in one call (decisions 3.5). */
export const MAX_BULK = 500;

export class BulkCreateSubscribersDto {
  /** Up to 500 subscribers; each is created, or updated where its `subscriberId` exists. */
  @Type(() => CreateSubscriberDto)
  // One more than allowed is enough to be refused: the rest need not be looked at one by one.
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? (value as unknown[]).slice(0, MAX_BULK + 1) : value,
  )
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_BULK)
  @ValidateNested({ each: true })
  @ApiProperty({ type: [CreateSubscriberDto], minItems: 1, maxItems: MAX_BULK })
  subscribers: CreateSubscriberDto[];
}
