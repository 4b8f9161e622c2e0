import type { DefinedRecord, DefinitionChange, DefinitionKind, TenantContext } from '#libs/common';
import { createValidationPipe, type Page, type PageQuery } from '#libs/http-kit';
import type { Defining } from '../workflows/index.js';

/** The definitions of one kind, in any environment. */
export interface DefinitionStore {
  readonly kind: DefinitionKind;
  /** Identifies a record of the kind in every environment. */
  readonly nameOf: (definition: object) => string;
  /** Oldest first. */
  readonly records: (tenant: TenantContext) => Promise<readonly DefinedRecord<object>[]>;
  /** As the route for definitions does. */
  readonly define: (
    tenant: TenantContext,
    definition: object,
    isDryRun: boolean,
    defining?: Defining,
  ) => Promise<DefinitionChange<object>>;
  readonly remove: (tenant: TenantContext, id: string) => Promise<unknown>;
}

interface Parts<T> {
  readonly nameOf: (definition: T) => string;
  readonly records: (tenant: TenantContext) => Promise<readonly DefinedRecord<T>[]>;
  readonly define: (
    tenant: TenantContext,
    dto: T,
    isDryRun: boolean,
    defining?: Defining,
  ) => Promise<DefinitionChange<T>>;
  readonly remove: (tenant: TenantContext, id: string) => Promise<unknown>;
}

const PAGE_SIZE = 100;
const pipe = createValidationPipe();

/** What a kind lists is what it takes, so each store casts to its own type only what it has listed. */
export function storeOf<T extends object>(kind: DefinitionKind, dto: new () => T, parts: Parts<T>): DefinitionStore {
  return {
    kind,
    nameOf: (definition) => parts.nameOf(definition as T),
    records: parts.records,
    define: async (tenant, definition, ...how) => parts.define(tenant, await received(dto, definition), ...how),
    remove: parts.remove,
  };
}

/** As if it had come in a body, with its defaults and checked by the same rules. */
async function received<T extends object>(metatype: new () => T, definition: object): Promise<T> {
  const body: unknown = JSON.parse(JSON.stringify(definition));
  return (await pipe.transform(body, { type: 'body', metatype })) as T;
}

export function named(rows: readonly { _id: string; name: string }[]): DefinedRecord<{ name: string }>[] {
  return rows.map(({ _id, name }) => ({ id: _id, definition: { name } }));
}

export async function everyPage<T>(
  list: (query: PageQuery) => Promise<Page<DefinedRecord<T>>>,
): Promise<DefinedRecord<T>[]> {
  const records: DefinedRecord<T>[] = [];
  for (let page = 0; ; page += 1) {
    const { data, hasMore } = await list({ page, limit: PAGE_SIZE });
    records.push(...data);
    if (!hasMore) return records;
  }
}
