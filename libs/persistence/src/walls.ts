import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, Schema } from 'mongoose';

const WALLED = new WeakSet<object>();

/** Of schemas whose queries are refused without an environment. */
export function walled(schema: Schema): void {
  WALLED.add(schema);
}

/**
 * Declares that the records of a schema are shared by all environments, or that its queries keep them apart themselves.
 *
 * @example
 * export const NoteSchema = shared(SchemaFactory.createForClass(Note));
 */
export function shared<T extends Schema>(schema: T): T {
  walled(schema);
  return schema;
}

/** A model would show the records of one environment to the keys of all others. */
export class UnwalledModelError extends Error {
  constructor(names: readonly string[]) {
    super(
      `Every API key would see all records of ${names.join(', ')}, because the schema belongs to no environment. ` +
        'Let the class extend TenantRecord and make the schema with defineSchema(), or, if all environments share the records, ' +
        'with shared(SchemaFactory.createForClass()).',
    );
    this.name = 'UnwalledModelError';
  }
}

/** Refuses the start of an application with a model that has no walls and does not say so. */
@Injectable()
export class Walls implements OnModuleInit {
  constructor(@Inject(getConnectionToken()) private readonly connection: Connection) {}

  /** @throws {UnwalledModelError} */
  onModuleInit(): void {
    const open = Object.values(this.connection.models).filter(({ schema }) => !WALLED.has(schema));
    if (open.length > 0) throw new UnwalledModelError(open.map(({ modelName }) => modelName).sort());
  }
}
