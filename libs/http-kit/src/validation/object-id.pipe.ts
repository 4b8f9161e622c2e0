import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { OBJECT_ID_PATTERN } from '#libs/common';
import { ValidationFailed } from '../errors/common.errors.js';

@Injectable()
class ObjectIdPipe implements PipeTransform<string, string> {
  constructor(private readonly name: string) {}

  transform(value: string): string {
    if (!OBJECT_ID_PATTERN.test(value))
      throw new ValidationFailed([`${this.name} must be a record id of 24 hexadecimal digits`]);
    return value.toLowerCase();
  }
}

/** A path parameter that must be a record id; otherwise the response is 400. */
export function IdParam(name: string): ParameterDecorator {
  return (target, key, index) => {
    Param(name, new ObjectIdPipe(name))(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && descriptor) {
      ApiParam({ name, schema: { type: 'string', pattern: OBJECT_ID_PATTERN.source } })(target, key, descriptor);
    }
  };
}
