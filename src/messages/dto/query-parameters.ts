import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsBoolean, IsOptional, IsString, MaxLength } from 'class-validator';
import { NAME_LENGTH } from '#libs/http-kit';

const WORDS: Record<string, boolean> = { true: true, false: false };

/** An optional `true` or `false` in a query. */
export function OptionalQueryBoolean(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (WORDS[value] ?? value) : value)),
    IsBoolean(),
  );
}

/** An optional parameter that can be repeated; one value is a list of one. */
export function OptionalQueryList(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value)),
    IsString({ each: true }),
    MaxLength(NAME_LENGTH, { each: true }),
    ArrayMaxSize(100),
  );
}
