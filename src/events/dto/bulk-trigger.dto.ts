import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { fieldsOf, IsValidBy } from '#libs/http-kit';
import { TriggerEventDto } from './trigger-event.dto.js';

export const MAX_EVENTS = 100;

export class BulkTriggerDto {
  /** Up to 100 events. Each is checked and accepted on its own; a bad one does not stop the others. */
  @IsArray()
  @IsValidBy('areEvents', () => [], () => fieldsOf(TriggerEventDto))
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EVENTS)
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_EVENTS,
    items: { $ref: getSchemaPath(TriggerEventDto) },
    example: [
      { name: 'order-shipped', to: 'ada' },
      { name: 'order-shipped', to: 'grace' },
    ],
  })
  events: unknown[];
}
