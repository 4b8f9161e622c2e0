import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { type Connection, type mongo, Schema, type Types } from 'mongoose';
import { FailPoint } from '#libs/common';
import { duplicatePlaces, isDuplicateKey, rawCollection, shardBy, shared } from '#libs/persistence';

/** Before a run that has asked for a place in a window is given its answer. */
export const COUNTED = new FailPoint<Types.ObjectId>('throttle.counted');

/** One window of one slot: the workflow's step, the subscriber and the value of the key. */
interface WindowRecord {
  _id: string;
  from: Date;
  until: Date;
  /** Who has passed, in order. */
  runs: Types.ObjectId[];
  count: number;
  expireAt: Date;
}

/** A run that has passed in a window which a later one has replaced. */
interface PassRecord {
  _id: string;
  place: number;
  until: Date;
  expireAt: Date;
}

type ThrottleRecord = WindowRecord | PassRecord;

export interface AskedWindow {
  readonly now: Date;
  /** Where a window ends that opens now. */
  readonly until: Date;
  readonly threshold: number;
  /** Throws if the asker no longer has the run. */
  readonly assertHeld?: () => Promise<void>;
}

export interface ThrottleVerdict {
  readonly passed: boolean;
  /** Of a run that passes, its place in the window; else how many have passed. */
  readonly count: number;
  /** When the window ends: the next one opens with the first event after that. */
  readonly until: Date;
}

interface Found {
  readonly window?: WindowRecord;
  readonly pass?: PassRecord;
}

/** How long a run finds what was decided about it. It is read again only while nobody has stored what came of it. */
const KEPT_MS = 7 * 86_400_000;

export const THROTTLE_MODEL = 'Throttle';
export const ThrottleSchema = shared(
  new Schema({}, { collection: 'throttles', strict: false, versionKey: false, timestamps: false }),
);
shardBy(ThrottleSchema, '_id');
ThrottleSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/**
 * Counts the runs that pass a throttle. A window opens with the first run that passes after the end of the one before. Each place
 * is taken by one atomic write that names the run, so that a run which is taken up again finds its own place: a place is never
 * given back, and none is given twice. Who does not pass writes nothing.
 */
@Injectable()
export class Throttles {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async enter(slot: string, run: Types.ObjectId, asked: AskedWindow): Promise<ThrottleVerdict> {
    for (;;) {
      const found = await this.look(slot, run);
      let verdict = known(found, run, asked);
      if (verdict === undefined) {
        // After the window was read: what another holder of the run is told from now on, the write below notices.
        await asked.assertHeld?.();
        verdict = await this.take(slot, found.window, run, asked);
      }
      if (verdict === undefined) continue;
      await COUNTED.pass(run);
      return verdict;
    }
  }

  /** The place of a run, if it has one. None is taken. */
  async placeOf(slot: string, run: Types.ObjectId): Promise<ThrottleVerdict | undefined> {
    return taken(await this.look(slot, run), run);
  }

  protected async look(slot: string, run: Types.ObjectId): Promise<Found> {
    const passId = passIdOf(slot, run);
    const rows = await this.collection.find({ _id: { $in: [slot, passId] } }).toArray();
    const window = rows.find(({ _id }) => _id === slot) as WindowRecord | undefined;
    const pass = rows.find(({ _id }) => _id === passId) as PassRecord | undefined;
    return { ...(window && { window }), ...(pass && { pass }) };
  }

  /** @returns undefined if another run was faster: what holds then has to be read again */
  private take(
    slot: string,
    window: WindowRecord | undefined,
    run: Types.ObjectId,
    asked: AskedWindow,
  ): Promise<ThrottleVerdict | undefined> {
    return window !== undefined && isOpen(window, asked)
      ? this.takeIn(window, run, asked)
      : this.open(slot, window, run, asked);
  }

  private async takeIn(
    { _id, from, until }: WindowRecord,
    run: Types.ObjectId,
    { threshold }: AskedWindow,
  ): Promise<ThrottleVerdict | undefined> {
    const after = await this.windows.findOneAndUpdate(
      { _id, from, count: { $lt: threshold }, runs: { $ne: run } },
      { $push: { runs: run }, $inc: { count: 1 } },
      { returnDocument: 'after', projection: { count: 1 } },
    );
    return after === null ? undefined : { passed: true, count: after.count, until };
  }

  private async open(
    slot: string,
    before: WindowRecord | undefined,
    run: Types.ObjectId,
    { now, until }: AskedWindow,
  ): Promise<ThrottleVerdict | undefined> {
    const next = { from: now, until, runs: [run], count: 1, expireAt: expiryOf(until) };
    const isOpened =
      before === undefined ? await this.insert({ _id: slot, ...next }) : await this.replace(before, next);
    return isOpened ? { passed: true, count: 1, until } : undefined;
  }

  private async insert(window: WindowRecord): Promise<boolean> {
    try {
      await this.windows.insertOne(window);
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  private async replace(before: WindowRecord, next: Omit<WindowRecord, '_id'>): Promise<boolean> {
    await this.keepPasses(before, next.from);
    const { _id, from, count } = before;
    const { matchedCount } = await this.windows.updateOne({ _id, from, count }, { $set: next });
    return matchedCount === 1;
  }

  /** A holder that stood still may have delivered for a run of the old window, and nobody may decide otherwise about it. */
  private async keepPasses({ _id, runs, until }: WindowRecord, now: Date): Promise<void> {
    const expireAt = expiryOf(now);
    const passes = runs.map((run, place) => ({ _id: passIdOf(_id, run), place: place + 1, until, expireAt }));
    try {
      await this.passes.insertMany(passes, { ordered: false });
    } catch (error) {
      duplicatePlaces(error);
    }
  }

  protected get collection(): mongo.Collection<ThrottleRecord> {
    return rawCollection<ThrottleRecord>(this.connection, 'throttles');
  }

  private get windows(): mongo.Collection<WindowRecord> {
    return rawCollection<WindowRecord>(this.connection, 'throttles');
  }

  private get passes(): mongo.Collection<PassRecord> {
    return rawCollection<PassRecord>(this.connection, 'throttles');
  }
}

/** Answers what `Throttles` would, and counts nobody. */
@Injectable()
export class ReadOnlyThrottles extends Throttles {
  override async enter(slot: string, run: Types.ObjectId, asked: AskedWindow): Promise<ThrottleVerdict> {
    const found = await this.look(slot, run);
    const { window } = found;
    const verdict = known(found, run, asked);
    if (verdict !== undefined) return verdict;
    return window !== undefined && isOpen(window, asked)
      ? { passed: true, count: window.count + 1, until: window.until }
      : { passed: true, count: 1, until: asked.until };
  }
}

/** What is decided already: the run has passed, or the window is full. */
function known(found: Found, run: Types.ObjectId, asked: AskedWindow): ThrottleVerdict | undefined {
  const own = taken(found, run);
  const { window } = found;
  if (own !== undefined || window === undefined) return own;
  const { count, until } = window;
  return isOpen(window, asked) && count >= asked.threshold ? { passed: false, count, until } : undefined;
}

function taken({ window, pass }: Found, run: Types.ObjectId): ThrottleVerdict | undefined {
  if (pass !== undefined) return { passed: true, count: pass.place, until: pass.until };
  const place = window?.runs.findIndex((one) => one.equals(run)) ?? -1;
  return window === undefined || place < 0 ? undefined : { passed: true, count: place + 1, until: window.until };
}

function isOpen({ until }: WindowRecord, { now }: AskedWindow): boolean {
  return until > now;
}

function passIdOf(slot: string, run: Types.ObjectId): string {
  return `${slot}:${run.toHexString()}`;
}

function expiryOf(from: Date): Date {
  return new Date(from.getTime() + KEPT_MS);
}
