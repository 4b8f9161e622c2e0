import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import { ReadCache, shortId } from '#libs/persistence';
import type { KeyOwner } from '../../platform/auth/index.js';
import { type Organization, OrganizationsService } from '../organizations/index.js';
import { type EnvironmentResponse, showEnvironment } from './environment.response.js';
import { Environment } from './environment.schema.js';
import { EnvironmentNotFound, EnvironmentReadOnly } from './environments.errors.js';

/** Published on creation, and for each environment at every start, so that listeners can complete its records. */
export class EnvironmentReady {
  constructor(
    readonly owner: Pick<TenantContext, 'organizationId' | 'environmentId'>,
    readonly parentId?: string,
  ) {}
}

const IDENTIFIER_LENGTH = 12;
export const DEVELOPMENT = 'Development';
export const PRODUCTION = 'Production';

const SESSION_FIELDS = { _organizationId: 1, demandsHmac: 1, sessionEpoch: 1 } as const;
const CACHE_MS = 1_000;
const MAX_CACHED = 1_000;

export interface EnvironmentSessions extends Pick<TenantContext, 'organizationId' | 'environmentId'> {
  /** Applies where the in-app integration has no setting. */
  readonly demandsHmac: boolean;
  readonly sessionEpoch: number;
}

function sessionsOf({
  _id,
  _organizationId,
  demandsHmac = false,
  sessionEpoch = 0,
}: Pick<Environment, '_id' | '_organizationId' | 'demandsHmac' | 'sessionEpoch'>): EnvironmentSessions {
  return {
    organizationId: _organizationId.toHexString(),
    environmentId: _id.toHexString(),
    demandsHmac,
    sessionEpoch,
  };
}

@Injectable()
export class EnvironmentsService {
  private readonly sessions = new ReadCache<EnvironmentSessions | undefined>({ max: MAX_CACHED, ttlMs: CACHE_MS });

  constructor(
    @InjectModel(Environment.name) private readonly environments: Model<Environment>,
    private readonly organizations: OrganizationsService,
    private readonly events: EventBus,
  ) {}

  async ensureDefaultOrganization(): Promise<KeyOwner> {
    return this.ensureEnvironments(await this.organizations.ensureDefault());
  }

  async createOrganization(name: string): Promise<KeyOwner> {
    return this.ensureEnvironments(await this.organizations.create(name));
  }

  async announceAll(): Promise<void> {
    const fields = { _organizationId: 1, _parentId: 1 };
    // Oldest first: records of a new environment may refer to records of its parent.
    for await (const environment of this.environments.find({}, fields).sort({ _id: 1 }).lean().cursor()) {
      await this.announce(environment);
    }
  }

  async list(tenant: Pick<TenantContext, 'organizationId'>): Promise<EnvironmentResponse[]> {
    const rows = await this.environments
      .find({ _organizationId: tenant.organizationId })
      .sort({ _id: 1 })
      .lean()
      .exec();
    return rows.map((row) => showEnvironment(row));
  }

  async listOfDefault(): Promise<EnvironmentResponse[]> {
    const { _id } = await this.organizations.ensureDefault();
    return this.list({ organizationId: _id.toHexString() });
  }

  async namesByIds(ids: readonly Types.ObjectId[]): Promise<Map<string, string>> {
    const rows = await this.environments
      .find({ _id: { $in: ids } }, { name: 1 })
      .lean()
      .exec();
    return new Map(rows.map(({ _id, name }) => [_id.toHexString(), name]));
  }

  /** @throws {EnvironmentNotFound} also for an environment of another organization */
  async get(tenant: Pick<TenantContext, 'organizationId'>, environmentId: string): Promise<EnvironmentResponse> {
    const row = await this.environments
      .findOne({ _id: environmentId, _organizationId: tenant.organizationId })
      .lean()
      .exec();
    if (row === null) throw new EnvironmentNotFound(environmentId);
    return showEnvironment(row);
  }

  /** @throws {EnvironmentNotFound} */
  async setReadOnly({ environmentId }: TenantContext, isReadOnly: boolean): Promise<EnvironmentResponse> {
    const row = await this.environments
      .findOneAndUpdate({ _id: environmentId }, { $set: { isReadOnly }, $inc: { __v: 1 } }, { returnDocument: 'after' })
      .lean()
      .exec();
    if (row === null) throw new EnvironmentNotFound(environmentId);
    return showEnvironment(row);
  }

  /** From the store, so that a change counts at once and everywhere. @throws {EnvironmentReadOnly} */
  async assertWritable(environmentId: string): Promise<void> {
    const row = await this.environments.findById(environmentId, { name: 1, isReadOnly: 1 }).lean().exec();
    if (row?.isReadOnly === true) throw new EnvironmentReadOnly(row.name);
  }

  /** What is in production has an environment that it is developed in. */
  async isProduction({ environmentId }: Pick<TenantContext, 'environmentId'>): Promise<boolean> {
    return (await this.environments.exists({ _id: environmentId, _parentId: { $exists: true } })) !== null;
  }

  async findByIdentifier(identifier: string): Promise<EnvironmentSessions | undefined> {
    const row = await this.environments.findOne({ identifier }, SESSION_FIELDS).lean().exec();
    return row === null ? undefined : sessionsOf(row);
  }

  async sessionsOf(environmentId: string): Promise<EnvironmentSessions | undefined> {
    return this.sessions.get(environmentId, async () => {
      const row = await this.environments.findById(environmentId, SESSION_FIELDS).lean().exec();
      return row === null ? undefined : sessionsOf(row);
    });
  }

  /** Invalidates every token issued before now. */
  async endSessions(environmentId: string): Promise<void> {
    await this.environments.updateOne({ _id: environmentId }, { $inc: { sessionEpoch: 1 } });
    this.sessions.forget(environmentId);
  }

  async ownerOf(organizationId: string, environmentName: string): Promise<KeyOwner> {
    const [organization, environment] = await Promise.all([
      this.organizations.find(organizationId),
      this.environments.findOne({ _organizationId: organizationId, name: environmentName }).lean().exec(),
    ]);
    if (organization === null || environment === null) throw new EnvironmentNotFound(environmentName);
    return {
      organizationId,
      environmentId: environment._id.toHexString(),
      userId: organization._ownerId.toHexString(),
    };
  }

  private async ensureEnvironments(organization: Organization): Promise<KeyOwner> {
    const development = await this.ensureEnvironment(organization._id, DEVELOPMENT);
    await this.ensureEnvironment(organization._id, PRODUCTION, development._id);
    return {
      organizationId: organization._id.toHexString(),
      environmentId: development._id.toHexString(),
      userId: organization._ownerId.toHexString(),
    };
  }

  private async ensureEnvironment(
    organization: Types.ObjectId,
    name: string,
    parent?: Types.ObjectId,
  ): Promise<Environment> {
    const environment = await this.environments
      .findOneAndUpdate(
        { _organizationId: organization, name },
        {
          $setOnInsert: {
            identifier: shortId(IDENTIFIER_LENGTH, 'mixed'),
            demandsHmac: true,
            ...(parent && { _parentId: parent }),
            ...madeNow(),
          },
        },
        { upsert: true, returnDocument: 'after', timestamps: false },
      )
      .lean()
      .exec();
    await this.announce(environment);
    return environment;
  }

  private async announce({
    _id,
    _organizationId,
    _parentId,
  }: Pick<Environment, '_id' | '_organizationId' | '_parentId'>): Promise<void> {
    const owner = { organizationId: _organizationId.toHexString(), environmentId: _id.toHexString() };
    await this.events.publish(new EnvironmentReady(owner, _parentId?.toHexString()));
  }
}

/** Not set by updates, so that a later start does not look like a change. */
function madeNow(): { createdAt: Date; updatedAt: Date } {
  const now = new Date();
  return { createdAt: now, updatedAt: now };
}
