import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection as StoreConnection, mongo } from 'mongoose';
import { nanoid } from 'nanoid';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { AppLogger } from '#libs/http-kit';
import { rawCollection } from '#libs/persistence';
import { type PresenceChange, SubscriberPresence } from '../../audience/subscribers/index.js';
import { Audience } from './audience.js';

/** Changes within this time are written together; reloading a page causes no write. */
const GATHER_MS = 250;
/** Changes per call of the store. */
const BATCH = 1_000;
/** A process without a renewal for this time counts as dead, and its subscribers as offline. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

interface ProcessRecord {
  readonly _id: string;
  readonly aliveUntil: Date;
}

/** Keeps the online state of connected subscribers correct, even after a process has died. */
@Injectable()
export class Presence implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly processId = nanoid();
  /** By record id: last written state, and states to write. */
  private readonly written = new Set<string>();
  private readonly changed = new Map<string, PresenceChange>();
  private gathering: NodeJS.Timeout | undefined;
  private renewal: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private hasLease = false;
  private isClosed = false;

  constructor(
    @InjectConnection() private readonly connection: StoreConnection,
    private readonly audience: Audience,
    private readonly subscribers: SubscriberPresence,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
    private readonly config: AppConfig,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.get('REAL_TIME') === 'off') return;
    this.audience.watchPresence(({ environmentId, subscriber: { id } }, isConnected) =>
      this.note({ environmentId, subscriberId: id, isConnected }),
    );
    this.renewal = setInterval(() => void this.attempt(() => this.renew()), RENEW_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.gathering);
    clearInterval(this.renewal);
    await this.attempt(async () => {
      if (this.hasLease) await this.endProcess({ _id: this.processId, aliveUntil: this.clock.now() });
    });
  }

  /** Also ends processes with an expired lease. */
  async renew(): Promise<void> {
    if (this.audience.isEmpty) await this.releaseLease();
    else if (!(await this.extendLease())) this.noteAll();
    const dead = await this.processes.find({ aliveUntil: { $lt: this.clock.now() } }).toArray();
    for (const process of dead) await this.endProcess(process);
  }

  private note(change: PresenceChange): void {
    this.changed.set(change.subscriberId, change);
    this.gather();
  }

  /** Other processes have declared this one dead and its subscribers offline. */
  private noteAll(): void {
    this.written.clear();
    for (const { session } of this.audience.connections()) {
      const { environmentId, subscriber } = session;
      this.note({ environmentId, subscriberId: subscriber.id, isConnected: true });
    }
  }

  private gather(): void {
    if (this.isClosed) return;
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      void this.attempt(() => this.write());
    }, GATHER_MS);
  }

  private async write(): Promise<void> {
    const due = [...this.changed.values()].filter(
      ({ subscriberId, isConnected }) => this.written.has(subscriberId) !== isConnected,
    );
    this.changed.clear();
    try {
      if (due.length > 0 && !this.hasLease) await this.extendLease();
      while (due.length > 0) {
        const batch = due.slice(0, BATCH);
        await this.subscribers.record(this.processId, batch, this.clock.now());
        for (const { subscriberId, isConnected } of batch) {
          if (isConnected) this.written.add(subscriberId);
          else this.written.delete(subscriberId);
        }
        due.splice(0, BATCH);
      }
    } catch (error) {
      for (const change of due)
        if (!this.changed.has(change.subscriberId)) this.changed.set(change.subscriberId, change);
      throw error;
    }
  }

  /** @returns false if the lease of this process is gone */
  private async extendLease(): Promise<boolean> {
    const aliveUntil = new Date(this.clock.now().getTime() + LEASE_MS);
    const { upsertedCount } = await this.processes.updateOne(
      { _id: this.processId },
      { $set: { aliveUntil } },
      { upsert: true },
    );
    const isLost = this.hasLease && upsertedCount > 0;
    this.hasLease = true;
    return !isLost;
  }

  private async releaseLease(): Promise<void> {
    if (!this.hasLease || this.changed.size > 0 || this.written.size > 0) return;
    this.hasLease = false;
    await this.processes.deleteOne({ _id: this.processId });
  }

  private async endProcess({ _id, aliveUntil }: ProcessRecord): Promise<void> {
    await this.subscribers.endProcess(_id, aliveUntil);
    await this.processes.deleteOne({ _id });
  }

  /** One write at a time, in the order of changes; a failure waits for the next renewal. */
  private attempt(work: () => Promise<void>): Promise<void> {
    this.writing = this.writing.then(work).catch((error: unknown) => {
      this.logger.error(error, Presence.name);
      if (this.changed.size > 0) setTimeout(() => this.gather(), RENEW_MS).unref();
    });
    return this.writing;
  }

  private get processes(): mongo.Collection<ProcessRecord> {
    return rawCollection<ProcessRecord>(this.connection, 'realTimeProcesses');
  }
}
