import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Caller } from '#libs/common';
import { type Audit, describeError, Page } from '#libs/http-kit';
import { isObject, type RawObject } from '#libs/validation';
import type { AuditedResource } from './audit-entry.schema.js';

/** By which of them a path may name a record in a list. */
const IDS = ['_id', 'id', 'name', 'identifier', 'key', 'locale'] as const;
const NAMES = ['name', 'identifier', 'key', 'title', 'email', 'locale', 'url'] as const;

/** `isUnknown`: it could not be read, so that no differences can be told. */
export interface Seen {
  readonly record?: RawObject;
  readonly isUnknown?: true;
}

/** Reads what is about to change, and what became of it. */
@Injectable()
export class AuditedResources {
  constructor(private readonly modules: ModuleRef) {}

  async see(
    { look }: Audit,
    caller: Caller,
    id: string | undefined,
    params: Readonly<Record<string, string>>,
  ): Promise<Seen> {
    if (look === undefined) return { isUnknown: true };
    if (id === undefined) return {};
    try {
      const source = this.modules.get<object, object>(look.source, { strict: false });
      // No more than whoever may read is shown.
      const found = await look.see(source, { ...caller, scopes: ['read'] }, id, params);
      const record = rowOf(found, id);
      return record === undefined ? {} : { record };
    } catch (error) {
      return describeError(error).status < 500 ? {} : { isUnknown: true };
    }
  }
}

/** The id in the response comes first: a change can give a new one. */
export function idAfter(
  { look, idField = '_id' }: Audit,
  response: unknown,
  id: string | undefined,
): string | undefined {
  const given = look !== undefined && isObject(response) ? response[idField] : undefined;
  return typeof given === 'string' ? given : id;
}

export function resourceOf({ resource, personal }: Audit, seen: RawObject | undefined, id?: string): AuditedResource {
  const recordId = seen?.['_id'] ?? (personal === true ? undefined : id);
  const name = personal === true ? undefined : NAMES.map((field) => seen?.[field]).find(isFilledText);
  return {
    type: resource,
    ...(isFilledText(recordId) && { id: recordId }),
    ...(name !== undefined && { name }),
  };
}

function rowOf(found: unknown, id: string): RawObject | undefined {
  const rows = found instanceof Page ? found.data : found;
  if (!Array.isArray(rows)) return isObject(rows) ? rows : undefined;
  return (rows as unknown[]).filter(isObject).find((row) => IDS.some((field) => row[field] === id));
}

function isFilledText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
