import { Injectable, Param, PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { ValidationFailed } from '../errors/common.errors.js';

const OBJECT_ID = /^[0-9a-fA-F]{24}$/;

@Injectable()
class ObjectIdPipe implements PipeTransform<string, string> {
  constructor(private readonly name: string) {}

  transform(value: string): string {
    if (!OBJECT_ID.test(value))
      throw new ValidationFailed([`${this.name} must be a record id of 24 hexadecimal digits`]);
    return value.toLowerCase();
  }
}

/** A path parameter that is a record id: anything else is a 400. */
export function IdParam(name: string): ParameterDecorator {
  return (target, key, index) => {
    Param(name, new ObjectIdPipe(name))(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && descriptor) {
      ApiParam({ name, schema: { type: 'string', pattern: '^[0-9a-fA-F]{24}$' } })(target, key, descriptor);
    }
  };
}
