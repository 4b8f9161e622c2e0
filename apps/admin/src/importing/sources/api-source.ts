import type { mongo } from 'mongoose';
import { derivedObjectId } from '#libs/persistence';
import { isObject, type RawObject } from '#libs/validation';
import type { Row } from '../novu-records.js';
import { textOf } from '../novu-records.js';
import { type ApiCalls, rowsIn } from './api-calls.js';
import { ApiWorkflows } from './api-workflows.js';
import { asStored, type NovuSource, type OwnedCounts, type SourcePage } from './novu-source.js';

type List = (at?: string) => AsyncIterable<SourcePage>;
interface Owner {
  readonly _environmentId: mongo.ObjectId;
  readonly _organizationId: mongo.ObjectId;
}

/** Novu's API, with a key of one environment. Its records have the ids and dates of the database; it does not show secrets. */
export class ApiSource implements NovuSource {
  readonly hasSecrets = false;
  readonly notShown = {
    translations: 'the API shows them one by one; copy them with PUT /v1/translations/{locale}',
    userInvitations: 'the API shows no people; invite them in the console',
  };
  private readonly workflows: ApiWorkflows;
  private readonly lists: ReadonlyMap<string, List>;

  private constructor(
    private readonly calls: ApiCalls,
    readonly description: string,
    private readonly key: string,
    private readonly environment: Row & Owner,
  ) {
    this.workflows = new ApiWorkflows(calls);
    const numbered = (path: string, size: 'limit' | 'pageSize') => (at?: string) => calls.numbered(path, size, at);
    this.lists = new Map<string, List>([
      ['organizations', () => this.organization()],
      ['environments', () => one({ ...this.environment, apiKeys: [{ key: this.key }] })],
      ['notificationgroups', () => calls.whole('/v1/notification-groups')],
      ['feeds', () => calls.whole('/v1/feeds')],
      [
        'layouts',
        (at) =>
          calls.firstOf(
            () => calls.numbered('/v1/layouts', 'pageSize', at),
            () => this.newLayouts(at),
          ),
      ],
      ['integrations', () => calls.whole('/v1/integrations')],
      [
        'tenants',
        (at) =>
          calls.firstOf(
            () => this.contexts(at),
            () => calls.numbered('/v1/tenants', 'limit', at),
          ),
      ],
      ['notificationtemplates', (at) => this.workflows.pages(at)],
      ['workflowoverrides', (at) => calls.firstOf(() => calls.numbered('/v1/workflow-overrides', 'limit', at))],
      ['subscribers', (at) => this.subscribers(at)],
      ['topics', (at) => this.topics(at)],
      ['topicsubscribers', (at) => this.members(at)],
      ['subscriberpreferences', (at) => this.preferences(at)],
      ['messages', numbered('/v1/messages', 'limit')],
    ]);
  }

  /** @throws {ApiFault} for a wrong key, for example */
  static async open(calls: ApiCalls, url: string, key: string): Promise<ApiSource> {
    const { data } = await calls.get('/v1/environments/me');
    return new ApiSource(calls, url, key, asStored(data) as Row & Owner);
  }

  async *pages(collection: string, where?: RawObject, at?: string): AsyncGenerator<SourcePage> {
    const since = isObject(where?.['createdAt']) ? (where['createdAt']['$gte'] as Date) : undefined;
    for await (const { rows, next } of this.lists.get(collection)?.(at) ?? []) {
      const recent = since === undefined ? rows : rows.filter((row) => (row['createdAt'] as Date) >= since);
      // They come newest first.
      const isOver = recent.length < rows.length;
      yield { rows: recent.map((row) => this.owned(row)), next: isOver ? undefined : next };
      if (isOver) return;
    }
  }

  /** Of those that are stored: the API cannot choose by chance, and the numbers are compared as well. */
  async people(count: number, stored: mongo.Db): Promise<Row[]> {
    const { _id: _environmentId } = this.environment;
    const chosen = [{ $match: { _environmentId, deleted: false } }, { $sample: { size: count } }];
    const rows = await stored.collection('subscribers').aggregate<Row>(chosen).toArray();
    const found = await Promise.all(rows.map(async (row) => rowsIn([await this.calls.find(personPath(row))])));
    return found.flat();
  }

  async ownedBy(person: Row, since: Date): Promise<OwnedCounts> {
    const id = encodeURIComponent(String(person['subscriberId']));
    let topics = 0;
    for await (const { rows } of this.calls.linked(`${personPath(person)}/subscriptions`)) topics += rows.length;
    const counts = { topics, messages: 0, unread: 0 };
    const path = `/v1/messages?subscriberId=${id}&channel=in_app`;
    for await (const { rows } of this.calls.numbered(path, 'limit')) {
      const recent = rows.filter((row) => (row['createdAt'] as Date) >= since);
      counts.messages += recent.length;
      counts.unread += recent.filter((row) => row['read'] === false).length;
      if (recent.length < rows.length) break;
    }
    return counts;
  }

  private owned(row: Row): Row {
    const { _id: _environmentId, _organizationId } = this.environment;
    const isOwner = String(row._id) === String(_organizationId) || String(row._id) === String(_environmentId);
    return isOwner ? row : { _environmentId, _organizationId, ...row };
  }

  private async *organization(): AsyncGenerator<SourcePage> {
    const found = await this.calls.find('/v1/organizations/me');
    const { _organizationId: _id } = this.environment;
    yield* one({ name: 'Novu', ...(asStored(found) as RawObject | undefined), _id });
  }

  private async *newLayouts(at?: string): AsyncGenerator<SourcePage> {
    for await (const { rows, next } of this.calls.counted('/v2/layouts', 'layouts', at)) {
      const whole = await inTurn(rows, async ({ _id }) => {
        const row = asStored(await this.calls.find(`/v2/layouts/${_id.toHexString()}`)) as Row;
        const { values } = (row['controls'] ?? {}) as { values?: { email?: RawObject } };
        const { body, editorType } = values?.email ?? {};
        return {
          ...row,
          identifier: row['layoutId'] as unknown,
          content: body,
          ...(editorType === 'block' && { content: '' }),
        };
      });
      yield { rows: whole, next };
    }
  }

  /** Those of the type `tenant` are tenants; others are named in the report. */
  private async *contexts(at?: string): AsyncGenerator<SourcePage> {
    for await (const { rows, next } of this.calls.linked('/v2/contexts', at)) {
      const tenants = rows.map((row) => {
        const { type, id, data } = row as RawObject;
        const _id = derivedObjectId(this.environment._id, 'context', `${String(type)}:${String(id)}`);
        const name = isObject(data) ? textOf(data['name']) : undefined;
        return {
          ...row,
          _id,
          data,
          name,
          ...(type === 'tenant' ? { identifier: id } : { contextType: type, key: id }),
        };
      });
      yield { rows: tenants, next };
    }
  }

  private subscribers(at?: string): AsyncIterable<SourcePage> {
    return this.calls.firstOf(
      () => this.calls.linked('/v2/subscribers', at),
      () => this.calls.numbered('/v1/subscribers', 'limit', at),
    );
  }

  private topics(at?: string): AsyncIterable<SourcePage> {
    return this.calls.firstOf(
      () => this.calls.linked('/v2/topics', at),
      () => this.calls.numbered('/v1/topics', 'pageSize', at),
    );
  }

  /** Of one page of topics after another. */
  private async *members(at?: string): AsyncGenerator<SourcePage> {
    for await (const { rows, next } of this.topics(at)) {
      const found = await inTurn(rows, async (topic) => {
        const all: Row[] = [];
        const path = `/v2/topics/${encodeURIComponent(String(topic['key']))}/subscriptions`;
        for await (const page of this.calls.linked(path)) all.push(...page.rows);
        return all.map((row) => memberRow(row, topic));
      });
      yield { rows: found.flat(), next };
    }
  }

  /** Of one page of subscribers after another; each is a request of its own. */
  private async *preferences(at?: string): AsyncGenerator<SourcePage> {
    for await (const { rows, next } of this.subscribers(at)) {
      const found = await inTurn(rows, async (person) => {
        const all = (await this.calls.find(`${personPath(person)}/preferences`)) as ShownPreferences | undefined;
        return all === undefined ? [] : this.preferenceRows(person, all);
      });
      yield { rows: found.flat(), next };
    }
  }

  private async preferenceRows(person: Row, { global, workflows = [] }: ShownPreferences): Promise<Row[]> {
    const rows: Row[] = [];
    if (global !== undefined && (global.enabled === false || Object.values(global.channels ?? {}).includes(false))) {
      rows.push(preferenceRow(person, null, global));
    }
    for (const { workflow, overrides = [], ...preference } of workflows) {
      const isOwn = overrides.some(({ source }) => source === 'subscriber');
      const id = isOwn ? await this.workflows.idOf(String(workflow?.identifier)) : undefined;
      if (id !== undefined) rows.push(preferenceRow(person, id, preference));
    }
    return rows;
  }
}

interface ShownPreference {
  readonly enabled?: boolean;
  readonly channels?: Record<string, boolean>;
}

interface ShownPreferences {
  readonly global?: ShownPreference;
  readonly workflows?: readonly (ShownPreference & {
    readonly workflow?: { readonly identifier?: string };
    readonly overrides?: readonly { readonly source?: string }[];
  })[];
}

/** The API shows no ids of preferences. */
function preferenceRow(person: Row, template: mongo.ObjectId | null, { enabled, channels }: ShownPreference): Row {
  const _id = derivedObjectId(person._id, 'preference', template?.toHexString() ?? 'global');
  const { createdAt, updatedAt } = person;
  const level = template === null ? 'global' : 'template';
  return { _id, createdAt, updatedAt, _subscriberId: person._id, _templateId: template, level, enabled, channels };
}

function memberRow(row: Row, topic: Row): Row {
  const { _id, createdAt, updatedAt } = row;
  const { _id: _subscriberId, subscriberId } = row['subscriber'] as Row;
  const { key, _id: _topicId } = topic;
  return {
    _id,
    createdAt,
    updatedAt,
    _topicId,
    _subscriberId,
    topicKey: key as string,
    externalSubscriberId: subscriberId as string,
  };
}

function personPath(person: Row): string {
  return `/v2/subscribers/${encodeURIComponent(String(person['subscriberId']))}`;
}

async function* one(row: Row): AsyncGenerator<SourcePage> {
  yield await Promise.resolve({ rows: [row], next: undefined });
}

async function inTurn<T, R>(rows: readonly T[], read: (row: T) => Promise<R>): Promise<R[]> {
  const all: R[] = [];
  for (const row of rows) all.push(await read(row));
  return all;
}
