import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { softDeleted, type TenantModel } from '#libs/persistence';
import { Message } from '../records/message.schema.js';
import type { NewMessage } from './message-store.js';

type Owned = Pick<NewMessage, '_id' | '_environmentId' | '_subscriberId'>;
export type Replacing = Owned & Partial<Pick<NewMessage, 'channel' | 'replaces'>>;
type Keyed = Owned & { readonly replaces: string };
type Rival = Pick<Message, '_id' | '_environmentId' | '_subscriberId' | 'replaces' | 'createdAt'>;

const FIELDS = { _id: 1, _environmentId: 1, _subscriberId: 1, replaces: 1, createdAt: 1 } as const;

/**
 * Of a subscriber's in-app messages with the same key, the newest takes the place of the others, whichever was stored last: two
 * processes can store them at the same time. The id of the newest is the `deletedBy` of the others.
 */
@Injectable()
export class Replacements {
  constructor(@InjectModel(Message.name) private readonly messages: TenantModel<Message>) {}

  /** @param rows that are stored, possibly by an earlier run of their steps */
  async apply(rows: readonly Replacing[]): Promise<void> {
    const keyed = withKey(rows);
    if (keyed.length === 0) return;
    const rivals = await this.messages.collection
      .find({ ...sameKeys(keyed), channel: 'in_app', deleted: false })
      .project<Rival>(FIELDS)
      .toArray();
    const writes = byKey(rivals).flatMap((group) => {
      const [newest, ...replaced] = group.sort((one, other) => ageOf(other) - ageOf(one) || byId(other, one));
      if (newest === undefined || replaced.length === 0) return [];
      const { _environmentId, _subscriberId } = newest;
      const filter = { _environmentId, _subscriberId, _id: { $in: replaced.map(({ _id }) => _id) }, deleted: false };
      const update = softDeleted(newest._id.toHexString(), new Date());
      return [{ updateMany: { filter, update } } satisfies mongo.AnyBulkWriteOperation];
    });
    if (writes.length > 0) await this.messages.collection.bulkWrite(writes, { ordered: false });
  }

  /** Shows again what messages have replaced that are gone. */
  async undo(rows: readonly Replacing[]): Promise<void> {
    const keyed = withKey(rows);
    if (keyed.length === 0) return;
    const deletedBy = { $in: keyed.map(({ _id }) => _id.toHexString()) };
    await this.messages.collection.updateMany(
      { ...sameKeys(keyed), channel: 'in_app', deleted: true, deletedBy },
      { $set: { deleted: false }, $unset: { deletedAt: '', deletedBy: '' } },
    );
  }
}

function withKey(rows: readonly Replacing[]): Keyed[] {
  return rows.flatMap((row) =>
    row.channel === 'in_app' && row.replaces !== undefined ? [{ ...row, replaces: row.replaces }] : [],
  );
}

function sameKeys(rows: readonly Keyed[]): mongo.Document {
  return {
    _environmentId: { $in: rows.map(({ _environmentId }) => _environmentId) },
    _subscriberId: { $in: rows.map(({ _subscriberId }) => _subscriberId) },
    replaces: { $in: [...new Set(rows.map(({ replaces }) => replaces))] },
  };
}

function byKey(rows: readonly Rival[]): Rival[][] {
  const groups = new Map<string, Rival[]>();
  for (const row of rows) {
    const key = `${row._subscriberId.toHexString()} ${row.replaces}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

function ageOf({ createdAt }: Rival): number {
  return createdAt.getTime();
}

function byId(one: Rival, other: Rival): number {
  return Buffer.compare(one._id.id, other._id.id);
}
