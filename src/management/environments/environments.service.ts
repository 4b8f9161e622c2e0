import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { EventBus, type TenantContext } from '#libs/common';
import { ReadCache, shortId } from '#libs/persistence';
import type { KeyOwner } from '../../platform/auth/index.js';
import { type Organization, OrganizationsService } from '../organizations/index.js';
import { type EnvironmentResponse, showEnvironment } from './environment.response.js';
import { Environment } from './environment.schema.js';
import { EnvironmentNotFound } from './environments.errors.js';

/**
 * Published when an environment is created, and for each environment at every start, so that listeners can complete
 * what it needs.
 */
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

/** An environment, as far as the sessions of its subscribers need it. */
export interface EnvironmentSessions extends Pick<TenantContext, 'organizationId' | 'environmentId'> {
  /** Where the in-app integration does not say. */
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

  /** Finds the organization of a fresh installation, or creates it with its two environments. */
  async ensureDefaultOrganization(): Promise<KeyOwner> {
    return this.ensureEnvironments(await this.organizations.ensureDefault());
  }

  async createOrganization(name: string): Promise<KeyOwner> {
    return this.ensureEnvironments(await this.organizations.create(name));
  }

  async announceAll(): Promise<void> {
    const fields = { _organizationId: 1, _parentId: 1 };
    // Oldest first: what a new environment needs may refer to records of its parent.
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

  /** @throws {EnvironmentNotFound} also for an environment of another organization */
  async get(tenant: Pick<TenantContext, 'organizationId'>, environmentId: string): Promise<EnvironmentResponse> {
    const row = await this.environments
      .findOne({ _id: environmentId, _organizationId: tenant.organizationId })
      .lean()
      .exec();
    if (row === null) throw new EnvironmentNotFound(environmentId);
    return showEnvironment(row);
  }

  /** The environment with a public identifier, in any organization. */
  async findByIdentifier(identifier: string): Promise<EnvironmentSessions | undefined> {
    const row = await this.environments.findOne({ identifier }, SESSION_FIELDS).lean().exec();
    return row === null ? undefined : sessionsOf(row);
  }

  /** What holds for the sessions of an environment; changes by other processes take effect within a second. */
  async sessionsOf(environmentId: string): Promise<EnvironmentSessions | undefined> {
    return this.sessions.get(environmentId, async () => {
      const row = await this.environments.findById(environmentId, SESSION_FIELDS).lean().exec();
      return row === null ? undefined : sessionsOf(row);
    });
  }

  /** Ends all sessions of an environment: tokens that were issued before are not valid any more. */
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

/** Set only when a record is created, so that a later start does not look like a change. */
function madeNow(): { createdAt: Date; updatedAt: Date } {
  const now = new Date();
  return { createdAt: now, updatedAt: now };
}
