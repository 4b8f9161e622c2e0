import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import { type Connection, mongo, Schema, Types } from 'mongoose';
import type { EmailAttachment } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import { AppConfig } from '#libs/config';
import { rawCollection, shardBy, shared } from '#libs/persistence';
import type { AttachmentRef } from './attachment-ref.js';
import type { TriggerEventRecord } from './trigger-event.js';

/** Well below the store's 16 MiB for a record. */
const CHUNK_BYTES = 4_000_000;
const CACHE_BYTES = 64_000_000;
const DAY_MS = 86_400_000;

interface ChunkRecord {
  _id: Types.ObjectId;
  _environmentId: Types.ObjectId;
  _attachmentId: Types.ObjectId;
  /** Index of the chunk in the file, from 0. */
  n: number;
  data: mongo.Binary;
  expireAt?: Date;
}

export interface NewAttachment extends Pick<EmailAttachment, 'cid' | 'disposition'> {
  readonly name: string;
  readonly mime: string;
  readonly content: Buffer;
  readonly channels?: string[];
}

export const ATTACHMENT_MODEL = 'AttachmentChunk';
export const AttachmentSchema = shared(
  new Schema({}, { collection: 'attachments', strict: false, versionKey: false, timestamps: false }),
);
shardBy(AttachmentSchema, '_attachmentId');
AttachmentSchema.index({ _attachmentId: 1, n: 1 }, { unique: true });
AttachmentSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** Keeps the files of events, once for all recipients. */
@Injectable()
export class AttachmentStore {
  private readonly recent = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (content) => content.length + 1,
  });
  private readonly retentionDays: number;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    config: AppConfig,
  ) {
    this.retentionDays = config.get('RETENTION_DAYS');
  }

  async save(tenant: TenantContext, files: readonly NewAttachment[], now: Date): Promise<AttachmentRef[]> {
    const expireAt = this.expiry(now);
    return Promise.all(
      files.map(async ({ content, ...file }) => {
        const _id = new Types.ObjectId();
        const chunks: ChunkRecord[] = [];
        for (let n = 0; n * CHUNK_BYTES < content.length; n += 1) {
          chunks.push({
            _id: new Types.ObjectId(),
            _environmentId: new Types.ObjectId(tenant.environmentId),
            _attachmentId: _id,
            n,
            data: new mongo.Binary(content.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES)),
            ...(this.retentionDays > 0 && { expireAt }),
          });
        }
        for (const chunk of chunks) await this.collection.insertOne(chunk);
        return { _id, ...file, size: content.length };
      }),
    );
  }

  /** Lets retention of the files of events begin at a later time: some of their runs wait until then. */
  async keepFrom(events: readonly TriggerEventRecord[], from: Date): Promise<void> {
    const ids = events.flatMap(({ attachments }) => (attachments ?? []).map(({ _id }) => _id));
    if (ids.length === 0 || this.retentionDays === 0) return;
    await this.collection.updateMany({ _attachmentId: { $in: ids } }, { $max: { expireAt: this.expiry(from) } });
  }

  async remove({ attachments = [] }: TriggerEventRecord): Promise<void> {
    const ids = attachments.map(({ _id }) => _id);
    if (ids.length === 0) return;
    await this.collection.deleteMany({ _attachmentId: { $in: ids } });
    for (const id of ids) this.recent.delete(id.toHexString());
  }

  async load({ attachments }: TriggerEventRecord, channel: string): Promise<EmailAttachment[]> {
    const wanted = (attachments ?? []).filter(({ channels }) => channels === undefined || channels.includes(channel));
    return Promise.all(
      wanted.map(async ({ _id, size: _size, channels: _channels, ...file }) => ({
        ...file,
        content: await this.content(_id),
      })),
    );
  }

  private async content(_attachmentId: Types.ObjectId): Promise<Buffer> {
    const key = _attachmentId.toHexString();
    const known = this.recent.get(key);
    if (known) return known;
    const chunks = await this.collection.find({ _attachmentId }).sort({ n: 1 }).toArray();
    const content = Buffer.concat(chunks.map(({ data }) => data.buffer));
    this.recent.set(key, content);
    return content;
  }

  /** Two days more than notifications are kept: their events, which wait for their expansion first, refer to the files. */
  private expiry(from: Date): Date {
    return new Date(from.getTime() + (this.retentionDays + 2) * DAY_MS);
  }

  private get collection(): mongo.Collection<ChunkRecord> {
    return rawCollection<ChunkRecord>(this.connection, 'attachments');
  }
}
