import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { ValidationFailed } from '../errors/app-exception.js';
import { FAULT_SEPARATOR } from './decorators.js';
import { linearTransformer } from './linear-transformer.js';

/** Checks bodies, queries and paths at the door: unknown fields are dropped, every fault is reported at once. */
export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    whitelist: true,
    transform: true,
    forbidUnknownValues: false,
    transformerPackage: linearTransformer,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => new ValidationFailed(flattenFaults(errors)),
  });
}

/** One text for each fault; nested ones begin with the path of their field: `steps.2.name must be a string`. */
export function flattenFaults(errors: readonly ValidationError[], parent = ''): string[] {
  return errors.flatMap((error) => {
    const own = Object.entries(error.constraints ?? {})
      .flatMap(([name, text]) =>
        isOddEntry(name, error) ? [`${error.property} must be an object`] : text.split(FAULT_SEPARATOR),
      )
      .map((text) => parent + text);
    return [...own, ...flattenFaults(error.children ?? [], `${parent}${error.property}.`)];
  });
}

/** An entry of a list of objects that is none: the library's own text for it names neither path nor position. */
function isOddEntry(constraint: string, { property }: ValidationError): boolean {
  return constraint === 'nestedValidation' && /^\d+$/.test(property);
}
