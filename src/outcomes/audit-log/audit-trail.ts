import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { Clock, EventBus, type TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { hasOnlyDuplicates, type TenantModel, toObjectId } from '#libs/persistence';
import { AuditEntry } from './audit-entry.schema.js';
import { type AuditEntryResponse, showAuditEntry } from './audit-entry.response.js';

const DAY_MS = 86_400_000;
/** A request has ended by then. */
const UNTOLD_MS = 120_000;
const PORTION = 100;

export type AuditOwner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

/** An entry of the audit log is complete. */
export class AuditRecorded {
  constructor(
    readonly owner: AuditOwner,
    readonly entry: AuditEntryResponse,
  ) {}
}

export type AuditDraft = Pick<
  AuditEntry,
  'action' | 'actor' | 'via' | 'ip' | 'userAgent' | 'requestId' | 'resource' | 'outcome' | 'errorCode'
>;
export type AuditResult = Pick<AuditEntry, 'outcome' | 'errorCode' | 'changes' | 'hasMoreChanges'> & {
  /** Where it is only known afterwards. */
  readonly action?: string;
  readonly resource?: AuditEntry['resource'];
};
type Row = Omit<AuditEntry, 'deletedAt' | 'deletedBy'>;

/**
 * Writes the audit log: an entry is stored before what it is about, and completed afterwards. One without an outcome says that nobody knows
 * whether it was carried out.
 */
@Injectable()
export class AuditTrail {
  private readonly keptMs: number;

  constructor(
    @InjectModel(AuditEntry.name) private readonly entries: TenantModel<AuditEntry>,
    private readonly events: EventBus,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.keptMs = config.get('AUDIT_RETENTION_DAYS') * DAY_MS;
  }

  /** One entry for each environment. */
  async begin(owners: readonly AuditOwner[], draft: AuditDraft): Promise<Row[]> {
    const rows = owners.map((owner) => this.rowOf(owner, new Types.ObjectId(), draft));
    if (rows.length > 0) await this.entries.collection.insertMany(rows);
    return rows;
  }

  /** What others have done already, once for each id. */
  async recordOnce(owner: AuditOwner, id: Types.ObjectId, draft: AuditDraft, result: AuditResult): Promise<void> {
    const row = this.rowOf(owner, id, draft);
    await this.entries.collection.insertMany([row]).catch((error: unknown) => {
      if (!hasOnlyDuplicates(error)) throw error;
    });
    await this.finish([row], result);
  }

  private rowOf({ organizationId, environmentId }: AuditOwner, _id: Types.ObjectId, draft: AuditDraft): Row {
    const now = this.clock.now();
    return {
      _id,
      _organizationId: toObjectId(organizationId),
      _environmentId: toObjectId(environmentId),
      ...draft,
      untoldSince: now,
      ...(this.keptMs > 0 && { expireAt: new Date(now.getTime() + this.keptMs) }),
      deleted: false,
      createdAt: now,
      updatedAt: now,
      __v: 0,
    };
  }

  /** Webhooks first: what is told is found again by nobody. */
  async finish(rows: readonly Row[], result: AuditResult): Promise<void> {
    for (const row of rows) {
      await this.tell({ ...row, ...result });
      await this.entries.collection.updateOne(
        { _id: row._id, _environmentId: row._environmentId },
        { $set: { ...result, updatedAt: this.clock.now() }, $unset: { untoldSince: '' } },
      );
    }
  }

  /** Of what has changed nothing. */
  async withdraw(rows: readonly Row[]): Promise<void> {
    for (const { _id, _environmentId } of rows) await this.entries.collection.deleteOne({ _id, _environmentId });
  }

  /** Tells webhooks of entries whose process ended before it did. */
  async tellUntold(): Promise<void> {
    const untoldSince = { $lte: new Date(this.clock.now().getTime() - UNTOLD_MS) };
    const rows = await this.entries.collection
      .find<Row>({ untoldSince })
      .sort({ untoldSince: 1 })
      .limit(PORTION)
      .toArray();
    for (const row of rows) {
      const { _id, _environmentId } = row;
      await this.tell(row);
      await this.entries.collection.updateOne({ _id, _environmentId }, { $unset: { untoldSince: '' } });
    }
  }

  private async tell(row: Row): Promise<void> {
    const owner = {
      organizationId: row._organizationId.toHexString(),
      environmentId: row._environmentId.toHexString(),
    };
    await this.events.publish(new AuditRecorded(owner, showAuditEntry(row)));
  }
}
