import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { type Channel, isCatcher } from '#libs/channels';
import { ValidationFailed } from '#libs/http-kit';
import { isDuplicateKey, ownedBy, softDeleted, type TenantModel, toObjectId, untilWritten } from '#libs/persistence';
import type { Caller, TenantContext } from '#libs/common';
import { assertScope, CallerRights, giveWhile } from '../../platform/auth/index.js';
import { CatcherRule } from './catcher-rule.js';
import type { CreateIntegrationDto, UpdateIntegrationDto } from './integration.dto.js';
import { type IntegrationCheckResponse, type IntegrationResponse, showIntegration } from './integration.response.js';
import { IntegrationChecks } from './integration-checks.js';
import { draftOf, type IntegrationDraft, isEmptyUpdate, newIdentifier, updatedDraft } from './integration-draft.js';
import {
  IntegrationRankings,
  isRanked,
  withActivated,
  withConditions,
  withCreated,
  without,
  withPrimary,
} from './integration-rankings.js';
import {
  type ActiveIntegration,
  activeOf,
  type ChannelStatus,
  channelStatusOf,
  IntegrationViews,
  isChannelOn,
} from './integration-views.js';
import { Integration } from './integration.schema.js';
import { unmaskCredentials } from './masked-credentials.js';
import {
  InAppIntegrationExists,
  IntegrationIdentifierTaken,
  IntegrationNotFound,
  NothingToUpdate,
  OtherEnvironment,
  PrimaryNotSupported,
  SystemMailNotSupported,
  SystemMailProtected,
  TooMuchContention,
} from './integrations.errors.js';

type Environment = Pick<TenantContext, 'environmentId'>;
type StoredDraft = IntegrationDraft & { identifier: string };

/** Without an identifier, the newest integration of the provider. */
export interface IntegrationChoice {
  readonly providerId: string;
  readonly identifier?: string | undefined;
}

@Injectable()
export class IntegrationsService {
  constructor(
    @InjectModel(Integration.name) private readonly integrations: TenantModel<Integration>,
    private readonly views: IntegrationViews,
    private readonly rankings: IntegrationRankings,
    private readonly checks: IntegrationChecks,
    private readonly catchers: CatcherRule,
    private readonly rights: CallerRights,
  ) {}

  async create(tenant: TenantContext, dto: CreateIntegrationDto): Promise<IntegrationResponse> {
    assertOwn(tenant, dto._environmentId);
    const draft = withoutMasks(draftOf(dto), {});
    await this.checks.assertSound(draft, dto.check === true);
    await this.catchers.assertAllowed(tenant, draft);
    const id = await this.insert(tenant, draft);
    if (draft.active) {
      const hasConditions = draft.conditions.length > 0;
      await this.rankings.change(tenant, draft.channel, (ranking) => withCreated(ranking, id, hasConditions));
    }
    return this.changed(tenant, id);
  }

  async list({ environmentId }: Environment): Promise<IntegrationResponse[]> {
    return (await this.views.all(environmentId)).map((view) => showIntegration(view.row, view));
  }

  async listActive(tenant: Environment): Promise<IntegrationResponse[]> {
    return (await this.list(tenant)).filter(({ active }) => active);
  }

  /** @throws {IntegrationNotFound} @throws {NothingToUpdate} @throws {SystemMailProtected} and as {@link create} */
  async update(tenant: Caller, id: string, dto: UpdateIntegrationDto): Promise<IntegrationResponse> {
    assertOwn(tenant, dto._environmentId);
    await untilWritten(async () => {
      const row = await this.findToChange(tenant, id);
      if (isEmptyUpdate(dto)) throw new NothingToUpdate();
      const { credentials: readable, credentialsError } = this.views.readable(row);
      const before: StoredDraft = { ...row, credentials: readable };
      const after = withoutMasks(updatedDraft(before, dto), before.credentials);
      // Unreadable credentials do not prevent renaming, deactivation or replacement, only activation.
      if (dto.credentials === undefined && credentialsError !== undefined && after.active) this.views.unseal(row);
      await this.checks.assertSound(after, dto.check === true);
      await this.catchers.assertAllowed(tenant, after);
      if (!(await this.write(tenant, row, after, dto))) return undefined;
      await this.rank(tenant, id, row, after);
      return true;
    }, contention);
    return this.changed(tenant, id);
  }

  /** Also activates the integration and removes its conditions. */
  async setPrimary(tenant: Caller, id: string): Promise<IntegrationResponse> {
    const { channel } = await this.findToChange(tenant, id);
    if (!isRanked(channel)) throw new PrimaryNotSupported(channel);
    await untilWritten(async () => {
      const row = await this.findToChange(tenant, id);
      if (row.active && row.conditions.length === 0) return true;
      const after = { ...row, credentials: this.views.unseal(row), active: true, conditions: [] };
      await this.checks.assertSound(after, false);
      await this.catchers.assertAllowed(tenant, after);
      return (await this.write(tenant, row, after, {})) || undefined;
    }, contention);
    await this.rankings.change(tenant, channel, (ranking) => withPrimary(ranking, id));
    return this.changed(tenant, id);
  }

  /** Sends and changes nothing. */
  async check(tenant: TenantContext, id: string): Promise<IntegrationCheckResponse> {
    const row = await this.mustFind(tenant, id);
    return this.checks.ask({ ...row, credentials: this.views.unseal(row) });
  }

  /** @returns the remaining integrations */
  async remove(tenant: Caller, id: string): Promise<IntegrationResponse[]> {
    const { channel } = await untilWritten(async () => {
      const row = await this.findToChange(tenant, id);
      return (await this.writeTo(row, softDeleted(tenant.apiKeyId, new Date()))) ? row : undefined;
    }, contention);
    await this.rankings.change(tenant, channel, (ranking) => without(ranking, id));
    this.views.forget(tenant.environmentId);
    return this.list(tenant);
  }

  /** Lets Herald send its own mails through the integration, or no longer. Only for the scope admin. */
  async setSystemMail(caller: Caller, id: string, isOn: boolean): Promise<IntegrationResponse> {
    if (!isOn) await this.markForSystemMail(caller, id, false);
    else {
      await giveWhile(
        async () => assertScope(await this.rights.now(caller), 'admin'),
        () => this.markForSystemMail(caller, id, true),
        async (wasOn) => wasOn || this.markForSystemMail(caller, id, false),
      );
    }
    return this.changed(caller, id);
  }

  /** @returns whether it was marked before */
  private async markForSystemMail(tenant: Environment, id: string, isOn: boolean): Promise<boolean> {
    const row = await untilWritten(async () => {
      const found = await this.mustFind(tenant, id);
      const { channel, providerId } = found;
      if (isOn && (channel !== 'email' || isCatcher(providerId))) throw new SystemMailNotSupported(channel, providerId);
      const change = isOn ? { $set: { sendsSystemMail: true } } : { $unset: { sendsSystemMail: 1 } };
      return (await this.writeTo(found, change)) ? found : undefined;
    }, contention);
    return row.sendsSystemMail === true;
  }

  /** The newest active one that an owner has marked; from the store, as who may read a link depends on it. */
  async forSystemMail({ environmentId }: Environment): Promise<ActiveIntegration | undefined> {
    const views = await this.views.all(environmentId);
    return activeOf(views.filter(({ row }) => row.sendsSystemMail === true))[0];
  }

  /** Primary first, then by priority; newest first if the channel has no order. At most a few seconds old. */
  async candidates({ environmentId }: Environment, channel: Channel): Promise<ActiveIntegration[]> {
    return activeOf(await this.views.recent(environmentId))
      .filter((one) => one.channel === channel)
      .sort((a, b) => b.priority - a.priority);
  }

  /** If the cache lacks an integration, the store is read once for all choices. */
  async findActiveByProvider(
    { environmentId }: Environment,
    choices: readonly IntegrationChoice[],
  ): Promise<(ActiveIntegration | undefined)[]> {
    if (choices.length === 0) return [];
    const find = async (): Promise<(ActiveIntegration | undefined)[]> => {
      const active = activeOf(await this.views.recent(environmentId));
      const newest = new Map<string, ActiveIntegration>();
      for (const one of active.filter(({ channel }) => channel === 'chat' || channel === 'push').reverse()) {
        newest.set(keyOf({ providerId: one.providerId }), one);
        newest.set(keyOf({ providerId: one.providerId, identifier: one.identifier }), one);
      }
      return choices.map((choice) => newest.get(keyOf(choice)));
    };
    const cached = await find();
    if (!cached.includes(undefined)) return cached;
    this.views.forget(environmentId);
    return find();
  }

  /** At most a few seconds old. */
  async hasActive({ environmentId }: Environment, channel: Channel): Promise<boolean> {
    return isChannelOn(await this.views.recent(environmentId), channel);
  }

  /** Whether messages of the environment are kept instead of sent, on any channel. At most a few seconds old. */
  async isCatching({ environmentId }: Environment): Promise<boolean> {
    return (await this.views.recent(environmentId)).some(({ row }) => row.active && isCatcher(row.providerId));
  }

  /** At most a few seconds old. */
  async channelStatus({ environmentId }: Environment): Promise<Record<Channel, ChannelStatus>> {
    return channelStatusOf(await this.views.recent(environmentId));
  }

  private async insert(owner: TenantContext, draft: IntegrationDraft): Promise<string> {
    const { credentials, ...fields } = draft;
    const identifier = draft.identifier ?? newIdentifier(draft);
    try {
      const _id = new Types.ObjectId();
      const sealedCredentials = this.views.seal(credentials, _id, owner.environmentId);
      await this.integrations.create({ _id, ...ownedBy(owner), ...fields, identifier, sealedCredentials });
      return _id.toHexString();
    } catch (error) {
      throw await this.clashOf(error, owner, { ...draft, identifier });
    }
  }

  /** @returns false if another writer was faster */
  private async write(
    tenant: TenantContext,
    before: Integration,
    after: StoredDraft,
    { credentials }: Pick<UpdateIntegrationDto, 'credentials'>,
  ): Promise<boolean> {
    const { name, identifier, active, retryUncertain = false, conditions, tracking, messagesPerSecond } = after;
    const sealed = this.views.seal(after.credentials, before._id, tenant.environmentId);
    const isEmptied = credentials !== undefined && sealed === undefined;
    const $unset = {
      ...(tracking === undefined && { tracking: 1 }),
      ...(messagesPerSecond === undefined && { messagesPerSecond: 1 }),
      ...(isEmptied && { sealedCredentials: 1 }),
      // Another account.
      ...(credentials !== undefined && { quietUntil: 1, outage: 1 }),
    };
    const $set = {
      ...{ name, identifier, active, retryUncertain, conditions },
      ...(tracking && { tracking }),
      ...(messagesPerSecond !== undefined && { messagesPerSecond }),
      ...(credentials !== undefined && sealed !== undefined && { sealedCredentials: sealed }),
    };
    try {
      return await this.writeTo(before, { ...(Object.keys($unset).length > 0 && { $unset }), $set });
    } catch (error) {
      throw await this.clashOf(error, tenant, { ...after, _id: before._id });
    }
  }

  /** @returns false if another writer was faster */
  private async writeTo({ _id, _environmentId, __v }: Integration, change: object): Promise<boolean> {
    const { matchedCount } = await this.integrations.updateOne(
      { _id, _environmentId: _environmentId.toHexString(), __v },
      { ...change, $inc: { __v: 1 } },
    );
    return matchedCount === 1;
  }

  /** Not every store names the violated key in its error. */
  private async clashOf(error: unknown, { environmentId }: Environment, written: Claim): Promise<unknown> {
    if (!isDuplicateKey(error)) return error;
    const { _id, identifier, channel } = written;
    if (channel !== 'in_app') return new IntegrationIdentifierTaken(identifier);
    const other = { _environmentId: environmentId, identifier, ...(_id && { _id: { $ne: _id } }) };
    const isTaken = (await this.integrations.exists(other)) !== null;
    return isTaken ? new IntegrationIdentifierTaken(identifier) : new InAppIntegrationExists();
  }

  private async rank(tenant: TenantContext, id: string, before: Integration, after: IntegrationDraft): Promise<void> {
    const { channel } = before;
    if (before.active && !after.active) {
      await this.rankings.change(tenant, channel, (ranking) => without(ranking, id));
    }
    if (after.active && !before.active) {
      await this.rankings.change(tenant, channel, (ranking) => withActivated(ranking, id));
    } else if (after.active && after.conditions.length > 0) {
      await this.rankings.change(tenant, channel, (ranking) => withConditions(ranking, id));
    }
  }

  private async changed(owner: TenantContext, id: string): Promise<IntegrationResponse> {
    this.views.forget(owner.environmentId);
    const view = await this.views.one(owner.environmentId, id);
    if (view === undefined) throw new IntegrationNotFound(id); // deleted by another request in between
    return showIntegration(view.row, view);
  }

  /** Every change begins here: one that Herald sends its own mails through is not for everybody who may write. */
  private async findToChange(caller: Caller, id: string): Promise<Integration> {
    const row = await this.mustFind(caller, id);
    if (row.sendsSystemMail === true && !caller.scopes.includes('admin')) throw new SystemMailProtected(id);
    return row;
  }

  private async mustFind(tenant: Environment, id: string): Promise<Integration> {
    const row = await this.integrations.one(tenant, { _id: toObjectId(id) });
    if (row === undefined) throw new IntegrationNotFound(id);
    return row;
  }
}

type Claim = Pick<Integration, 'identifier' | 'channel'> & { readonly _id?: Types.ObjectId };

function withoutMasks<T extends IntegrationDraft>(draft: T, stored: IntegrationDraft['credentials']): T {
  const { credentials, faults } = unmaskCredentials(draft.credentials, stored);
  if (faults.length > 0) throw new ValidationFailed(faults);
  return { ...draft, credentials };
}

/** @throws {OtherEnvironment} also for a missing environment, so that callers cannot probe for ids */
function assertOwn({ environmentId }: Environment, named: string | null | undefined): void {
  if (named === null || named === undefined || named.toLowerCase() === environmentId) return;
  throw new OtherEnvironment(named);
}

function keyOf({ providerId, identifier }: IntegrationChoice): string {
  return JSON.stringify([providerId, identifier]);
}

function contention(): Error {
  return new TooMuchContention();
}
