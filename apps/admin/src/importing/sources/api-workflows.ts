import { mongo } from 'mongoose';
import { isObject, type RawObject } from '#libs/validation';
import type { Row } from '../novu-records.js';
import { type ApiCalls, rowsIn } from './api-calls.js';
import { asStored, type SourcePage } from './novu-source.js';

/** Workflows of both editors, as the database has them. */
export class ApiWorkflows {
  private ids: Map<string, mongo.ObjectId> | undefined;
  private group: { readonly id: unknown } | undefined;

  constructor(private readonly calls: ApiCalls) {}

  /** First those of the newer editor, then what only the older interface shows: a page of it begins with `v1:`. */
  async *pages(at?: string): AsyncGenerator<SourcePage> {
    const older = /^v1:(\d+)$/.exec(at ?? '')?.[1];
    if (older === undefined) {
      for await (const { rows, next } of this.newer(at)) yield { rows, next: next ?? 'v1:0' };
    }
    const known = await this.newerIds();
    for await (const { rows, next } of this.older(older)) {
      // What `/v1` shows of these is whole, whatever it calls their origin.
      const other = rows
        .filter(({ _id }) => !known.has(_id.toHexString()))
        .map((row) => ({ ...row, origin: row['origin'] === 'external' ? 'external' : 'novu-cloud-v1' }));
      yield { rows: other, next: next === undefined ? undefined : `v1:${next}` };
    }
  }

  async idOf(identifier: string): Promise<mongo.ObjectId | undefined> {
    this.ids ??= await this.readIds();
    return this.ids.get(identifier);
  }

  private async *newer(at?: string): AsyncGenerator<SourcePage> {
    for await (const { rows, next } of this.summaries(at)) {
      const whole: Row[] = [];
      for (const row of rows.filter(isOfEditor)) {
        const found = await this.calls.find(`/v2/workflows/${row._id.toHexString()}`);
        if (isObject(found))
          whole.push({ ...storedOf(asStored(found) as Row), _notificationGroupId: await this.firstGroup() });
      }
      yield { rows: whole, next };
    }
  }

  /** The newer interface shows none. */
  private async firstGroup(): Promise<unknown> {
    this.group ??= { id: rowsIn(await this.calls.find('/v1/notification-groups'))[0]?._id };
    return this.group.id;
  }

  private summaries(at?: string): AsyncIterable<SourcePage> {
    return this.calls.firstOf(() => this.calls.counted('/v2/workflows', 'workflows', at));
  }

  private older(at?: string): AsyncIterable<SourcePage> {
    return this.calls.firstOf(() => this.calls.numbered('/v1/workflows', 'limit', at));
  }

  private async newerIds(): Promise<Set<string>> {
    const known = new Set<string>();
    for await (const { rows } of this.summaries()) {
      for (const row of rows.filter(isOfEditor)) known.add(row._id.toHexString());
    }
    return known;
  }

  private async readIds(): Promise<Map<string, mongo.ObjectId>> {
    const ids = new Map<string, mongo.ObjectId>();
    for await (const { rows } of this.older()) {
      for (const row of rows) for (const { identifier } of triggersOf(row)) ids.set(String(identifier), row._id);
    }
    for await (const { rows } of this.summaries()) for (const row of rows) ids.set(String(row['workflowId']), row._id);
    return ids;
  }
}

/** What the older editor wrote has its texts in `/v1` only. */
function isOfEditor({ origin }: mongo.Document): boolean {
  return origin !== 'novu-cloud-v1';
}

function triggersOf(row: Row): RawObject[] {
  return (Array.isArray(row['triggers']) ? (row['triggers'] as unknown[]) : []).filter(isObject);
}

/** The newer interface, in the words of the database. */
function storedOf(row: Row): Row {
  const { workflowId, preferences, steps, status, active } = row as RawObject;
  const own = isObject(preferences) ? preferences : {};
  return {
    ...row,
    active: active ?? status === 'ACTIVE',
    triggers: [{ identifier: workflowId }],
    preferences: own['user'] ?? own['default'],
    steps: (Array.isArray(steps) ? (steps as unknown[]) : []).filter(isObject).map((step) => {
      const { _id, stepId, name, type, controls, controlValues } = step;
      const values = isObject(controls) && isObject(controls['values']) ? controls['values'] : controlValues;
      return { _id, stepId, name, uuid: stepId, active: true, template: { type }, controls: values ?? {} };
    }),
  };
}
