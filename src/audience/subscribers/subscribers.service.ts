import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { UpdateQuery } from 'mongoose';
import { EventBus, FailPoint, type TenantContext } from '#libs/common';
import { Page } from '#libs/http-kit';
import { RecordLoader, type TenantModel, toObjectId } from '#libs/persistence';
import { IntegrationsService } from '../../channels/integrations/index.js';
import { type ResolvedChannel, type ResolvedSubscriber, toResolved } from './resolved-subscriber.js';
import { type LinkedCredentials, linkCredentials, mergePipeline, type TokenMode } from './subscriber-credentials.js';
import { appendedTo, type DescribedRecipient, foreseeProfile, type ForeseenSubscriber } from './foreseen-subscriber.js';
import { readBulkEntries } from './bulk-entries.js';
import { Erasures } from './erasures.js';
import { listPage } from './subscriber-search.js';
import { SubscriberSummaries } from './subscriber-summaries.js';
import { SubscriberUpserts } from './subscriber-upserts.js';
import {
  profileUpdate,
  sessionOnlyUpsert,
  type SubscriberDefinition,
  type SubscriberWrite,
  toUpsertWrite,
  upsertOf,
  wouldChange,
  writeInOrder,
} from './subscriber-writes.js';
import type {
  ChannelCredentialsDto,
  CreateSubscriberDto,
  ListSubscribersQuery,
  OnlineStatusDto,
  UpdateSubscriberDto,
} from './subscriber.dto.js';
import {
  type BulkResultResponse,
  type DeleteSubscriberResponse,
  showSubscriber,
  type SubscriberResponse,
} from './subscriber.response.js';
import { KNOWN_TO_KEYS, Subscriber } from './subscriber.schema.js';
import { DeletionPending, describeMissing, NoActiveIntegration, SubscriberNotFound } from './subscribers.errors.js';
import { DeletionEnding, SubscriberDeleted, TimeZonesSet } from './subscribers.events.js';

type Environment = Pick<TenantContext, 'environmentId'>;
export const DELETING = new FailPoint<string>('subscriber.delete');

@Injectable()
export class SubscribersService {
  private readonly known: RecordLoader<Subscriber, 'subscriberId'>;

  constructor(
    @InjectModel(Subscriber.name) private readonly subscribers: TenantModel<Subscriber>,
    private readonly upserts: SubscriberUpserts,
    private readonly summaries: SubscriberSummaries,
    private readonly integrations: IntegrationsService,
    private readonly events: EventBus,
    private readonly erasures: Erasures,
  ) {
    this.known = new RecordLoader(subscribers, 'subscriberId', { where: KNOWN_TO_KEYS });
  }

  /** Upserts by `subscriberId`. */
  async create(tenant: TenantContext, dto: CreateSubscriberDto): Promise<SubscriberResponse> {
    const { entries, missing } = await linkCredentials(this.integrations, tenant, dto.channels ?? []);
    if (missing.length > 0) throw new NoActiveIntegration(missing);
    const now = new Date();
    const row = await this.upserts.write(upsertOf(tenant, dto, now));
    this.summaries.forget(tenant, dto.subscriberId);
    const isNew = row.createdAt.getTime() === now.getTime();
    if (dto.timezone !== undefined && !isNew) await this.announceZones(tenant, [row._id.toHexString()]);
    if (entries.length === 0) return showSubscriber(row);
    const own = { mode: 'append', recordId: row._id.toHexString() } as const;
    return this.mergeCredentials(tenant, dto.subscriberId, entries, own);
  }

  /**
   * One call of the store, in the order sent: later entries update earlier ones with the same id. A rejected entry does
   * not stop the others.
   */
  async createMany(tenant: TenantContext, sent: readonly unknown[]): Promise<BulkResultResponse> {
    const result: BulkResultResponse = { updated: [], created: [], failed: [] };
    const writes: SubscriberWrite[] = [];
    const written: { subscriberId: string; position: number }[] = [];
    const now = new Date();
    const zoned = new Set<string>();
    for (const read of await readBulkEntries(sent)) {
      if ('failure' in read) {
        result.failed.push(read.failure);
        continue;
      }
      const { dto } = read;
      const { subscriberId } = dto;
      const { entries, missing } = await linkCredentials(this.integrations, tenant, dto.channels ?? []);
      if (missing.length > 0) {
        result.failed.push({ message: missing.map(describeMissing).join(' '), subscriberId });
        continue;
      }
      if (dto.timezone !== undefined) zoned.add(subscriberId);
      const upsert = upsertOf(tenant, dto, now);
      written.push({ subscriberId, position: writes.push(toUpsertWrite(upsert)) - 1 });
      if (entries.length > 0) {
        writes.push({ updateOne: { filter: upsert.filter, update: mergePipeline(entries, 'append') } });
      }
    }
    const inserted = await writeInOrder(this.subscribers, writes);
    for (const { subscriberId, position } of written) {
      this.summaries.forget(tenant, subscriberId);
      result[inserted.has(position) ? 'created' : 'updated'].push({ subscriberId });
    }
    const moved = result.updated.map(({ subscriberId }) => subscriberId).filter((id) => zoned.has(id));
    if (moved.length > 0) {
      const rows = await this.findByExternalIds(tenant, [...new Set(moved)]);
      await this.announceZones(
        tenant,
        [...rows.values()].map(({ _id }) => _id),
      );
    }
    return result;
  }

  async list(tenant: TenantContext, query: ListSubscribersQuery): Promise<Page<SubscriberResponse>> {
    const { rows, hasMore } = await listPage(this.subscribers, tenant, query);
    return new Page(
      rows.map((row) => showSubscriber(row)),
      query.page,
      query.limit,
      hasMore,
    );
  }

  async get(tenant: TenantContext, subscriberId: string): Promise<SubscriberResponse> {
    const row = await this.known.find(tenant, subscriberId);
    if (row === undefined) throw new SubscriberNotFound(subscriberId);
    return showSubscriber(row);
  }

  /** Includes session-only records. */
  async getForSession(tenant: TenantContext, subscriberId: string): Promise<SubscriberResponse> {
    const row = await this.subscribers.one(tenant, { subscriberId });
    if (row === undefined) throw new SubscriberNotFound(subscriberId);
    return showSubscriber(row);
  }

  async update(tenant: TenantContext, subscriberId: string, dto: UpdateSubscriberDto): Promise<SubscriberResponse> {
    const changed = await this.change(tenant, subscriberId, profileUpdate(dto));
    if (dto.timezone !== undefined) await this.announceZones(tenant, [changed._id]);
    return changed;
  }

  /** Going offline records the time. */
  setOnline(tenant: TenantContext, subscriberId: string, dto: OnlineStatusDto): Promise<SubscriberResponse> {
    const isOnline = dto.online ?? dto.isOnline ?? false;
    return this.change(tenant, subscriberId, { $set: { isOnline, ...(!isOnline && { lastOnlineAt: new Date() }) } });
  }

  /**
   * Deletes the record now, and waits for what is under way; the erasure worker removes the rest. A later subscriber is another one.
   * @throws {DeletionPending} when that takes too long; the next call waits for the same deletion
   */
  async remove(tenant: TenantContext, subscriberId: string): Promise<DeleteSubscriberResponse> {
    const row = await this.subscribers.one(tenant, { subscriberId }, { fields: ['_id', 'subscriberId'] });
    // First: if this process dies before the deletion, a worker removes the record.
    if (row !== undefined) await this.erasures.begin(tenant, row);
    const ids = row === undefined ? await this.erasures.unanswered(tenant, subscriberId) : [row._id];
    if (ids.length === 0) throw new SubscriberNotFound(subscriberId);
    await DELETING.pass(subscriberId);
    for (const _id of ids) {
      await this.subscribers.deleteOne({ _environmentId: tenant.environmentId, _id });
      this.summaries.forget(tenant, subscriberId);
      await this.events.publish(new SubscriberDeleted(tenant, subscriberId, _id.toHexString()));
    }
    this.erasures.announce();
    const ending = new DeletionEnding(tenant, subscriberId);
    await this.events.publish(ending);
    if (!ending.isOver) throw new DeletionPending();
    return { acknowledged: true, status: 'deleted' };
  }

  /** Invalidates every token issued before now. */
  async endSessions(tenant: TenantContext, subscriberId: string): Promise<{ readonly id: string }> {
    const row = await this.subscribers
      .findOneAndUpdate(
        { _environmentId: tenant.environmentId, subscriberId },
        { $inc: { sessionEpoch: 1 } },
        { projection: { _id: 1 }, timestamps: false },
      )
      .lean()
      .exec();
    this.summaries.forget(tenant, subscriberId);
    if (row === null) throw new SubscriberNotFound(subscriberId);
    return { id: row._id.toHexString() };
  }

  /**
   * @param mode whether device tokens replace the stored ones
   * @param recordId of the subscriber, if another one who has the id by now is not meant
   */
  async setCredentials(
    tenant: Environment,
    subscriberId: string,
    dto: ChannelCredentialsDto,
    mode: TokenMode,
    recordId?: string,
  ): Promise<SubscriberResponse> {
    const { entries, missing } = await linkCredentials(this.integrations, tenant, [dto]);
    if (missing.length > 0) {
      const known = await this.subscribers.one(tenant, { subscriberId, ...KNOWN_TO_KEYS }, { fields: ['_id'] });
      throw known === undefined ? new SubscriberNotFound(subscriberId) : new NoActiveIntegration(missing);
    }
    return this.mergeCredentials(tenant, subscriberId, entries, { mode, recordId });
  }

  /** Succeeds also if there are none. */
  async removeCredentials(tenant: TenantContext, subscriberId: string, providerId: string): Promise<void> {
    const { matchedCount } = await this.subscribers.updateOne(byExternalId(tenant, subscriberId), {
      $pull: { channels: { providerId } },
    });
    this.summaries.forget(tenant, subscriberId);
    if (matchedCount === 0) throw new SubscriberNotFound(subscriberId);
  }

  /** Ignores unknown subscribers. */
  async removeDeviceTokens(
    tenant: Environment,
    subscriberId: string,
    providerId: string,
    tokens: readonly string[],
  ): Promise<void> {
    if (tokens.length === 0) return;
    const invalid = [...tokens];
    await this.subscribers.updateOne(
      byExternalId(tenant, subscriberId),
      { $pull: { 'channels.$[entry].credentials.deviceTokens': { $in: invalid } } },
      { arrayFilters: [{ 'entry.providerId': providerId, 'entry.credentials.deviceTokens': { $in: invalid } }] },
    );
    this.summaries.forget(tenant, subscriberId);
  }

  /** Removes where the chat messages of an entry go, unless that has changed since. The entry stays. */
  async removeChatAddress(
    tenant: TenantContext,
    subscriberId: string,
    { _integrationId, credentials }: ResolvedChannel,
  ): Promise<void> {
    const key = credentials.webhookUrl ? 'webhookUrl' : 'channel';
    const path = `credentials.${key}`;
    await this.subscribers.updateOne(
      byExternalId(tenant, subscriberId),
      { $unset: { [`channels.$[entry].${path}`]: 1 } },
      { arrayFilters: [{ 'entry._integrationId': toObjectId(_integrationId), [`entry.${path}`]: credentials[key] }] },
    );
  }

  async findByExternalIds(
    tenant: Environment,
    subscriberIds: readonly string[],
  ): Promise<Map<string, ResolvedSubscriber>> {
    if (subscriberIds.length === 0) return new Map();
    const rows = await this.subscribers.list(tenant, { subscriberId: { $in: subscriberIds }, ...KNOWN_TO_KEYS });
    return new Map(rows.map((row) => [row.subscriberId, toResolved(row)]));
  }

  async findByIds(tenant: Environment, ids: readonly string[]): Promise<Map<string, ResolvedSubscriber>> {
    const rows = await this.subscribers.byIds(tenant, ids);
    return new Map([...rows].map(([id, row]) => [id, toResolved(row)]));
  }

  async findById(tenant: Environment, id: string): Promise<ResolvedSubscriber | undefined> {
    return (await this.findByIds(tenant, [id])).get(id);
  }

  /**
   * Keyed by external id. Absent fields change nothing, null removes a value, and a matching subscriber costs no write.
   */
  async upsertMany(
    tenant: TenantContext,
    definitions: readonly SubscriberDefinition[],
  ): Promise<Map<string, ResolvedSubscriber>> {
    const found = await this.findByExternalIds(tenant, [
      ...new Set(definitions.map(({ subscriberId }) => subscriberId)),
    ]);
    const changed = definitions.filter((definition) => {
      const existing = found.get(definition.subscriberId);
      return existing === undefined || wouldChange(existing, definition);
    });
    if (changed.length === 0) return found;
    const now = new Date();
    const writes = changed.map((definition) => toUpsertWrite(upsertOf(tenant, definition, now)));
    await writeInOrder(this.subscribers, writes);
    for (const { subscriberId } of changed) this.summaries.forget(tenant, subscriberId);
    const fresh = await this.findByExternalIds(tenant, [...new Set(changed.map(({ subscriberId }) => subscriberId))]);
    const moved = [...fresh].flatMap(([id, { _id, timezone }]) => {
      const before = found.get(id);
      return before !== undefined && before.timezone !== timezone ? [_id] : [];
    });
    if (moved.length > 0) await this.announceZones(tenant, moved);
    return new Map([...found, ...fresh]);
  }

  /** What `upsertMany` would return, without writing. New subscribers get an id that no record has. */
  async foresee(
    tenant: TenantContext,
    definitions: readonly DescribedRecipient[],
  ): Promise<Map<string, ForeseenSubscriber>> {
    const ids = definitions.map(({ subscriberId }) => subscriberId);
    const found = await this.findByExternalIds(tenant, [...new Set(ids)]);
    const foreseen = new Map<string, ForeseenSubscriber>();
    for (const { channels, ...definition } of definitions) {
      const profile = foreseeProfile(found.get(definition.subscriberId), definition);
      const { entries } = await linkCredentials(this.integrations, tenant, channels ?? []);
      const change = profile.change === 'none' && entries.length > 0 ? 'update' : profile.change;
      const subscriber = { ...profile.subscriber, channels: appendedTo(profile.subscriber.channels, entries) };
      foreseen.set(definition.subscriberId, { subscriber, change });
    }
    return foreseen;
  }

  /** Stores nothing. */
  async describedAs(
    tenant: TenantContext,
    known: ResolvedSubscriber,
    { channels = [], ...definition }: DescribedRecipient,
  ): Promise<ResolvedSubscriber> {
    const { subscriber } = foreseeProfile(known, definition);
    if (channels.length === 0) return subscriber;
    const { entries } = await linkCredentials(this.integrations, tenant, channels);
    return { ...subscriber, channels: appendedTo(subscriber.channels, entries) };
  }

  /**
   * For callers who have not proven to be the subscriber: a new record has no profile and is known to sessions only.
   */
  async forSession(
    tenant: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    subscriberId: string,
  ): Promise<ResolvedSubscriber> {
    const known = await this.subscribers.one(tenant, { subscriberId });
    if (known !== undefined) return toResolved(known);
    const row = await this.upserts.write(sessionOnlyUpsert(tenant, subscriberId, new Date()));
    this.summaries.forget(tenant, subscriberId);
    return toResolved(row);
  }

  /**
   * In the order of record ids, for broadcasts.
   * @param options.after last record id of the previous page
   */
  async readPage(
    tenant: Environment,
    { after, limit }: { after?: string; limit: number },
  ): Promise<ResolvedSubscriber[]> {
    const where = { ...KNOWN_TO_KEYS, ...(after !== undefined && { _id: { $gt: toObjectId(after) } }) };
    const rows = await this.subscribers.list(tenant, where, { sort: { _id: 1 }, limit });
    return rows.map(toResolved);
  }

  private announceZones({ environmentId }: Environment, ids: readonly string[]): Promise<void> {
    return this.events.publish(new TimeZonesSet({ environmentId }, ids));
  }

  private async mergeCredentials(
    tenant: Environment,
    subscriberId: string,
    entries: readonly LinkedCredentials[],
    { mode, recordId }: { readonly mode: TokenMode; readonly recordId: string | undefined },
  ): Promise<SubscriberResponse> {
    const own = { ...byExternalId(tenant, subscriberId), ...(recordId !== undefined && { _id: recordId }) };
    const row = await this.subscribers
      .findOneAndUpdate(own, mergePipeline(entries, mode), {
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean()
      .exec();
    this.summaries.forget(tenant, subscriberId);
    if (row === null) throw new SubscriberNotFound(subscriberId);
    return showSubscriber(row);
  }

  private async change(
    tenant: TenantContext,
    subscriberId: string,
    update: UpdateQuery<Subscriber>,
  ): Promise<SubscriberResponse> {
    const row = await this.subscribers
      .findOneAndUpdate(byExternalId(tenant, subscriberId), update, { returnDocument: 'after' })
      .lean()
      .exec();
    this.summaries.forget(tenant, subscriberId);
    if (row === null) throw new SubscriberNotFound(subscriberId);
    return showSubscriber(row);
  }
}

function byExternalId(
  { environmentId }: Environment,
  subscriberId: string,
): { _environmentId: string; subscriberId: string; sessionOnly: { $exists: false } } {
  return { _environmentId: environmentId, subscriberId, ...KNOWN_TO_KEYS };
}
