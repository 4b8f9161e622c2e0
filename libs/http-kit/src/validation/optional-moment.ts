import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { isMoment } from '#libs/schedule';
import { IsValidBy } from './decorators.js';

/** A date and time in ISO 8601; an empty text counts as absent. */
export function OptionalMoment(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value)),
    IsOptional(),
    IsValidBy('isMoment', (value, property) =>
      typeof value === 'string' && value.length <= 40 && isMoment(value)
        ? []
        : [`${property} must be a date and time in ISO 8601, such as 2026-01-31T12:00:00Z; a + has to be sent as %2B`],
    ),
    ApiPropertyOptional({ type: String, format: 'date-time', example: '2026-01-31T12:00:00Z' }),
  );
}
