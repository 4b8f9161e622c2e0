import { applyDecorators } from '@nestjs/common';
import { type ClassConstructor, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsOptional,
  IsString,
  MaxLength,
  MinLength,
  registerDecorator,
  ValidateNested,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import type { z } from 'zod';
import { faultsOf, membersOf, openApiOf, withoutNulls } from '#libs/validation';
import { freeForm } from './hostile-json.js';
import { type Fields, FieldsMark } from './unknown-input.js';

export const NAME_LENGTH = 255;

/** A required text of 1 to 255 characters, not blank, for names and identifiers. Null characters fit no path. */
export function IsName(options?: ValidationOptions): PropertyDecorator {
  return applyDecorators(
    IsString(options),
    MinLength(1, options),
    MaxLength(NAME_LENGTH, options),
    IsValidBy('isName', nameFaults),
    ApiProperty({ type: String, minLength: 1, maxLength: NAME_LENGTH }),
  );
}

function nameFaults(value: unknown, property: string): string[] {
  if (typeof value !== 'string' || value === '') return [];
  if (value.includes('\0')) return [`${property} must not contain null characters`];
  if (isDots(value)) return [`${property} must not be '.' or '..': no URL could name it`];
  return value.trim() === '' ? [`${property} must not be blank`] : [];
}

/** URLs resolve these as folders, even where they are encoded. */
export function isDots(text: string): boolean {
  return /^\s*\.{1,2}\s*$/.test(text);
}

/** An identifier that may be absent or null. */
export function OptionalId(): PropertyDecorator {
  return applyDecorators(
    OptionalString(),
    IsValidBy('isId', (value, property) =>
      typeof value === 'string' && isDots(value) ? [`${property} must not be '.' or '..': no URL could name it`] : [],
    ),
  );
}

/** A text that may be absent or null. */
export function OptionalString(maxLength = NAME_LENGTH): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsString(),
    MaxLength(maxLength),
    ApiPropertyOptional({ type: String, maxLength, nullable: true }),
  );
}

/** Each text begins with a path that begins with `property`. */
type FaultCheck = (value: unknown, property: string, body: object) => string[];

/**
 * Texts that begin with the path of the field are shown unchanged.
 * @param fields known members of the value or of list entries; others are unknown. Default: those of the declaration;
 * without one, anything
 */
export function IsValidBy(name: string, check: z.ZodType | FaultCheck, fields?: () => Fields): PropertyDecorator {
  if (typeof check === 'function') return isValid(name, check, false, fields);
  const members = membersOf(check);
  const known = members === true ? undefined : () => members;
  return isValid(name, (value, property) => faultsOf(check, value, property), false, fields ?? known);
}

/** As {@link IsValidBy}, for slow checks that yield to other requests. */
export function IsValidInTurnsBy(
  name: string,
  check: (value: unknown, property: string, document: object) => Promise<string[]>,
  fields?: () => Fields,
): PropertyDecorator {
  return isValid(name, check, true, fields);
}

function isValid(
  name: string,
  check: (...args: Parameters<FaultCheck>) => string[] | Promise<string[]>,
  isAsync: boolean,
  fields: (() => Fields) | undefined,
): PropertyDecorator {
  return (target, propertyKey) => {
    const property = String(propertyKey);
    // Kept for the message, so that large values are not checked twice.
    const faults = new WeakMap<object, string[]>();
    const keep = (args: ValidationArguments | undefined, found: string[]): boolean => {
      if (found.length === 0) return true;
      if (args) faults.set(args.object, found);
      return false;
    };
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property,
      constraints: fields ? [new FieldsMark(fields)] : [],
      async: isAsync,
      validator: {
        validate(value: unknown, args?: ValidationArguments) {
          const found = check(value, property, args?.object ?? {});
          return Array.isArray(found) ? keep(args, found) : found.then((list) => keep(args, list));
        },
        defaultMessage: (args?: ValidationArguments) => (args && faults.get(args.object)?.join(FAULT_SEPARATOR)) ?? '',
      },
    });
  };
}

export function apiOf(schema: z.ZodType): ApiPropertyOptions {
  const { $ref, ...rest } = openApiOf(schema);
  return ($ref === undefined ? rest : { allOf: [{ $ref }] }) as ApiPropertyOptions;
}

export function apiListOf(schema: z.ZodType): ApiPropertyOptions {
  return { type: 'array', items: openApiOf(schema) };
}

/** Joins the faults of one {@link IsValidBy} check; the pipe separates them again. */
export const FAULT_SEPARATOR = '\u0000';

/** Any keys except those that begin with `$`. Stored and returned as sent. */
export function IsFreeForm(): PropertyDecorator {
  return applyDecorators(IsValidBy('isFreeForm', freeForm), AsSent());
}

/** Rejects a list in place of an entry, which nested validation would enter and accept if empty. */
export function IsListOf(type: () => ClassConstructor<object>, max: number): PropertyDecorator {
  return applyDecorators(
    Type(type),
    IsArray(),
    ArrayMaxSize(max),
    ValidateNested({ each: true }),
    IsValidBy('areObjects', (value, property) =>
      (Array.isArray(value) ? (value as unknown[]) : []).flatMap((entry, index) =>
        Array.isArray(entry) ? [`${property}.${index} must be an object`] : [],
      ),
    ),
  );
}

/** For queries, which hold texts. Other values stay unchanged, and validation rejects them. */
export function AsNumber(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? Number(value) : value), {
    toClassOnly: true,
  });
}

const FLAGS: Record<string, boolean | undefined> = { true: true, false: false };

/** An optional `true` or `false` in a query. Clients send the text `undefined` for a state that is not set. */
export function OptionalFlag(description: string): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => {
      if (value === 'undefined') return undefined;
      return typeof value === 'string' ? (FLAGS[value] ?? value) : value;
    }),
    IsBoolean(),
    ApiPropertyOptional({ type: Boolean, description }),
  );
}

/** class-transformer drops keys such as toString, which every object inherits. */
export function AsSent(): PropertyDecorator {
  return Transform(({ obj, key }) => (obj as Record<string, unknown>)[key], { toClassOnly: true });
}

/** {@link AsSent} without the nulls that stand for absence: for values that are stored as a whole. */
export function AsDeclared(schema: z.ZodType): PropertyDecorator {
  return Transform(({ obj, key }) => withoutNulls(schema, (obj as Record<string, unknown>)[key]), {
    toClassOnly: true,
  });
}
