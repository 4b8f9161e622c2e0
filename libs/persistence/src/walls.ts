import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection, Schema } from 'mongoose';
import type { RecordOwner } from '#libs/common';

const DECLARED = new WeakSet<object>();

/** Of schemas that say themselves to whom their records belong. */
export function declare(schema: Schema): void {
  DECLARED.add(schema);
}

export function isDeclared(schema: Schema): boolean {
  return DECLARED.has(schema);
}

const PARTS = new WeakSet<object>();

/** Documents within documents belong to whom the whole belongs, also where they name an environment. Called for the whole first. */
export function notePartsOf(schema: Schema): void {
  for (const { schema: part } of schema.childSchemas) PARTS.add(part);
}

export function isPart(schema: Schema): boolean {
  return PARTS.has(schema);
}

/** Whether the records of a schema belong to environments. */
export function hasTenant(schema: Schema): boolean {
  return schema.path('_environmentId') !== undefined;
}

/** What a record says of its owner. */
export type OwnerFields = Readonly<Record<string, unknown>> & { readonly _environmentId: unknown };

/** As the schema stores them. */
export function ownerFields(schema: Schema, { environmentId, organizationId }: RecordOwner): OwnerFields {
  const fields = { _environmentId: schema.path('_environmentId').cast(environmentId) as unknown };
  const organization = schema.path('_organizationId');
  if (organization === undefined || organizationId === undefined) return fields;
  return { ...fields, _organizationId: organization.cast(organizationId) };
}

/**
 * Declares that the records of a schema are shared by all environments, or that its queries keep them apart themselves.
 *
 * @example
 * export const CountrySchema = shared(SchemaFactory.createForClass(Country));
 */
export function shared<T extends Schema>(schema: T): T {
  declare(schema);
  return schema;
}

/** A model would show the records of one environment to the keys of all others. */
export class UnwalledModelError extends Error {
  constructor(names: readonly string[]) {
    super(
      `Every API key would see all records of ${names.join(', ')}, because the schema belongs to no environment. ` +
        'Let the class extend TenantRecord, and its model is limited to the environment of the caller; if all environments share ' +
        'the records, make the schema with shared(SchemaFactory.createForClass()).',
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
    const { models } = this.connection;
    // A discriminator has the schema of its base, and more.
    const open = Object.values(models).filter(({ schema, baseModelName }) => {
      const base = baseModelName === undefined ? undefined : models[baseModelName]?.schema;
      return (!hasTenant(schema) || isPart(schema)) && !isDeclared(schema) && !(base && isDeclared(base));
    });
    if (open.length > 0) throw new UnwalledModelError(open.map(({ modelName }) => modelName).sort());
  }
}
