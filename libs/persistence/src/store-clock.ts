import { Global, Logger, Module } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Clock } from '#libs/common';
import { databaseOf } from './raw-collection.js';

/** Leases last a second or longer, so processes may differ by less. */
const TOLERATED_MS = 500;
/** A slower answer does not tell when the store read its clock. */
const MAX_ROUND_TRIP_MS = 400;
const ATTEMPTS = 3;

interface StoreClockOptions {
  /** Undefined if the engine does not tell its time. */
  readonly ask: () => Promise<Date | undefined>;
  /** The clock of this machine. */
  readonly machineMs?: () => number;
}

/**
 * Due times and leases are compared between processes, so all need the same time: the machine's, corrected if it
 * differs from the store's.
 */
export class StoreClock extends Clock {
  private readonly logger = new Logger(StoreClock.name);
  private readonly machineMs: () => number;
  private offsetMs = 0;
  private measuring: Promise<void> | undefined;

  constructor(private readonly options: StoreClockOptions) {
    super();
    this.machineMs = options.machineMs ?? Date.now;
  }

  now(): Date {
    return new Date(this.machineMs() + this.offsetMs);
  }

  /** The time may be old if this process was suspended, so a difference is measured again. */
  async compare(storeTime: Date): Promise<void> {
    if (Math.abs(storeTime.getTime() - this.now().getTime()) > TOLERATED_MS) await this.measure();
  }

  /** Keeps the old difference if the store cannot be asked or answers slowly. */
  measure(): Promise<void> {
    this.measuring ??= this.ask().finally(() => (this.measuring = undefined));
    return this.measuring;
  }

  private async ask(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const askedAt = performance.now();
      const storeTime = await this.options.ask().catch(() => undefined);
      if (storeTime === undefined) return;
      const tookMs = performance.now() - askedAt;
      if (tookMs > MAX_ROUND_TRIP_MS) continue;
      this.correct(Math.round(storeTime.getTime() + tookMs / 2 - this.machineMs()));
      return;
    }
  }

  private correct(differenceMs: number): void {
    const before = this.offsetMs;
    this.offsetMs = Math.abs(differenceMs) > TOLERATED_MS ? differenceMs : 0;
    if (Math.abs(this.offsetMs - before) <= TOLERATED_MS) return;
    const seconds = (Math.abs(this.offsetMs) / 1_000).toFixed(1);
    const direction = this.offsetMs > 0 ? 'behind' : 'ahead of';
    this.logger.warn(
      this.offsetMs === 0
        ? "The clock of this machine agrees with the store's again."
        : `The clock of this machine is ${seconds} s ${direction} the store's, which Herald follows. Set the clock of this machine.`,
    );
  }
}

/** Sent by servers at each heartbeat of the driver. */
interface Hello {
  readonly localTime?: Date;
  readonly secondary?: boolean;
}

async function openStoreClock(connection: Connection): Promise<Clock> {
  const clock = new StoreClock({
    ask: async () => ((await databaseOf(connection).command({ hello: 1 })) as Hello).localTime,
  });
  connection.getClient().on('serverHeartbeatSucceeded', ({ reply }) => {
    const { localTime, secondary } = reply as Hello;
    if (localTime !== undefined && secondary !== true) void clock.compare(localTime);
  });
  await clock.measure();
  return clock;
}

/** Provides {@link Clock} with the time of the store. */
@Global()
@Module({
  providers: [{ provide: Clock, inject: [getConnectionToken()], useFactory: openStoreClock }],
  exports: [Clock],
})
export class StoreClockModule {}
