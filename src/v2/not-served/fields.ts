import { applyDecorators } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { AsSent } from '#libs/http-kit';
import { isGiven } from '#libs/validation';
import { FieldNotServed } from './not-served.errors.js';

/** A field that later clients send, and that Herald must not ignore: without it, the request means something else. */
export function NotServedField(): PropertyDecorator {
  return applyDecorators(IsOptional(), AsSent());
}

/** @param instead what to do, after the names of the fields @throws {FieldNotServed} if one is given */
export function refuseFields(given: Readonly<Record<string, unknown>>, instead: string): void {
  const fields = Object.keys(given).filter((name) => isGiven(given[name]));
  if (fields.length > 0) throw new FieldNotServed(fields, instead);
}
