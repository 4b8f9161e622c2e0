import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { AppConfig } from '#libs/config';
import type { TenantModel } from '#libs/persistence';
import { Message } from './message.schema.js';
import { type MessageOutcome, type NewMessage, type Retention, toStored } from './new-message.js';

const DUPLICATE_KEY = 11000;

@Injectable()
export class MessagesService {
  private readonly retention: Retention;

  constructor(
    @InjectModel(Message.name) private readonly messages: TenantModel<Message>,
    config: AppConfig,
  ) {
    this.retention = { inAppDays: config.get('RETENTION_DAYS_IN_APP'), otherDays: config.get('RETENTION_DAYS') };
  }

  /**
   * Writes messages of any environments in one call to the store. A message that is already there (a step that is run
   * again) is left as it is and is not an error. Their ids are those that `messageIdFor` gives.
   * @returns how many are new
   */
  async insertForEngine(messages: readonly NewMessage[]): Promise<number> {
    if (messages.length === 0) return 0;
    const now = new Date();
    const rows = messages.map((message) => toStored(message, this.retention, now));
    try {
      return (await this.messages.collection.insertMany(rows, { ordered: false })).insertedCount;
    } catch (error) {
      const inserted = insertedBeside(error);
      if (inserted === undefined) throw error;
      return inserted;
    }
  }

  /** Records what became of messages after they were written, in one call to the store. */
  async updateOutcomes(outcomes: readonly MessageOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    const updatedAt = new Date();
    const writes = outcomes.map(({ environmentId, messageId, ...changes }): mongo.AnyBulkWriteOperation => {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined);
      const $set = { ...Object.fromEntries(given), updatedAt };
      return { updateOne: { filter: { _id: messageId, _environmentId: environmentId }, update: { $set } } };
    });
    await this.messages.collection.bulkWrite(writes, { ordered: false });
  }
}

/** How many were inserted where the only faults are duplicates; undefined where there is another fault. */
function insertedBeside(error: unknown): number | undefined {
  const { writeErrors, insertedCount } = error as { writeErrors?: unknown; insertedCount?: number };
  const faults = Array.isArray(writeErrors) ? (writeErrors as { code?: number }[]) : [];
  const onlyDuplicates = faults.length > 0 && faults.every(({ code }) => code === DUPLICATE_KEY);
  return onlyDuplicates ? (insertedCount ?? 0) : undefined;
}
