import { Global, Module } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Clock, TestClock } from '#libs/common';
import { rawCollection } from './raw-collection.js';

const COLLECTION = 'test_clock';
const ID = 'clock';

interface TestClockRecord {
  readonly _id: string;
  readonly offsetMs: number;
}

/** What is waiting is due by this time, so it stays with the store. */
export async function keepTestClock(connection: Connection, offsetMs: number): Promise<void> {
  const records = rawCollection<TestClockRecord>(connection, COLLECTION);
  await records.updateOne({ _id: ID }, { $set: { offsetMs } }, { upsert: true });
}

async function openTestClock(connection: Connection): Promise<Clock> {
  const record = await rawCollection<TestClockRecord>(connection, COLLECTION).findOne({ _id: ID });
  return new TestClock(record?.offsetMs);
}

/** Provides {@link Clock} with a time that can be put forward. */
@Global()
@Module({
  providers: [{ provide: Clock, inject: [getConnectionToken()], useFactory: openTestClock }],
  exports: [Clock],
})
export class TestClockModule {}
