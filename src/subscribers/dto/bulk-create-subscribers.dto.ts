import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayNotEmpty } from 'class-validator';
import { IsListOf } from '#libs/http-kit';
import { CreateSubscriberDto } from './create-subscriber.dto.js';

/** Subscribers in one call. */
const MAX_BULK = 500;

export class BulkCreateSubscribersDto {
  /** Up to 500 subscribers; each is created, or updated where its `subscriberId` exists. */
  // One more than allowed is enough to be refused: the rest need not be looked at one by one.
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) ? (value as unknown[]).slice(0, MAX_BULK + 1) : value,
  )
  @IsListOf(() => CreateSubscriberDto, MAX_BULK)
  @ArrayNotEmpty()
  @ApiProperty({ type: [CreateSubscriberDto], minItems: 1, maxItems: MAX_BULK })
  subscribers: CreateSubscriberDto[];
}
