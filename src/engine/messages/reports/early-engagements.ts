import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type mongo, Types } from 'mongoose';
import { Clock } from '#libs/common';
import { isDuplicateKey, type TenantModel, toObjectId } from '#libs/persistence';
import { EarlyEngagement } from './early-engagement.schema.js';
import { type MessageOfLink, MessageReports, type ReportedMessage } from './message-reports.js';
import type { Engagement, EngagementKind, UntoldEngagement } from '../records/message.schema.js';

/** Of one message. */
const MAX_KEPT = 100;
/** A call that is interrupted is decided long before. */
const KEPT_MS = 24 * 3_600_000;
const MAX_FOUND = 100;
const SECOND_MS = 1_000;

interface LateMessage {
  readonly message: ReportedMessage;
  readonly engagements: readonly UntoldEngagement[];
}

/**
 * Opens and clicks that come before their message is stored: it is stored with the outcome of the call, and recipients and their
 * programs may be faster. They are kept until the message is there.
 */
@Injectable()
export class EarlyEngagements {
  constructor(
    @InjectModel(EarlyEngagement.name) private readonly early: TenantModel<EarlyEngagement>,
    private readonly reports: MessageReports,
    private readonly clock: Clock,
  ) {}

  /** Resolves when it is stored, or the message has as many as are kept. */
  async keep(link: MessageOfLink, kind: EngagementKind, engagement: Engagement): Promise<void> {
    const now = this.clock.now();
    const key = new Types.ObjectId().toHexString();
    const id = { _id: toObjectId(link.messageId), _environmentId: toObjectId(link.environmentId) };
    const update = {
      $push: { engagements: { ...engagement, kind, key } },
      $set: { lookAt: now },
      $setOnInsert: {
        _organizationId: toObjectId(link.organizationId),
        _subscriberId: toObjectId(link.subscriberId),
        createdAt: now,
        expireAt: new Date(now.getTime() + KEPT_MS),
        deleted: false,
      },
    } as unknown as mongo.UpdateFilter<mongo.Document>;
    const filter = { ...id, [`engagements.${MAX_KEPT - 1}`]: { $exists: false } };
    try {
      await this.early.collection.updateOne(filter, update, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // It is full, or was made at the same moment.
      await this.early.collection.updateOne(filter, update);
    }
  }

  /** Those of all environments whose messages are stored by now. */
  async found(): Promise<LateMessage[]> {
    const now = this.clock.now();
    const due = await this.early.collection
      .find<EarlyEngagement>({ lookAt: { $lte: now } })
      .sort({ lookAt: 1 })
      .limit(MAX_FOUND)
      .toArray();
    const found = await Promise.all(due.map((row) => this.lookFor(row, now)));
    return found.filter((one) => one !== undefined);
  }

  /** They are recorded with the message. Those that have come meanwhile are looked at again. */
  async remove({ message: { _id, _environmentId }, engagements }: LateMessage): Promise<void> {
    const isMore = { [`engagements.${engagements.length}`]: { $exists: false } };
    await this.early.collection.deleteOne({ _id, _environmentId, ...isMore });
  }

  async removeOf(environmentId: string, subscriberId: Types.ObjectId): Promise<void> {
    await this.early.collection.deleteMany({
      _environmentId: toObjectId(environmentId),
      _subscriberId: subscriberId,
    });
  }

  private async lookFor(row: EarlyEngagement, now: Date): Promise<LateMessage | undefined> {
    const { _id, _environmentId, lookAt, createdAt, engagements } = row;
    const message = await this.reports.findById({ environmentId: _environmentId.toHexString() }, _id.toHexString());
    if (message !== undefined) return { message, engagements };
    const ageMs = now.getTime() - createdAt.getTime();
    const next = new Date(now.getTime() + Math.max(ageMs / 4, SECOND_MS));
    await this.early.collection.updateOne({ _id, _environmentId, lookAt }, { $set: { lookAt: next } });
    return undefined;
  }
}
