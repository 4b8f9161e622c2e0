import { isDeepStrictEqual } from 'node:util';
import type { mongo } from 'mongoose';
import { STORE_STATE } from '#libs/persistence';
import type { KindReport } from './report.js';

/** Where an import goes on. */
export interface Place {
  readonly kind: string;
  /** Collection of Novu. */
  readonly from: string;
  /** Where its next page begins; absent: at the first one. */
  readonly at?: string;
}

/** What an import was begun with: another one begins anew. */
interface Begun {
  readonly source: string;
  readonly days: number;
  readonly hasKey: boolean;
}

interface Saved extends Begun {
  readonly _id: string;
  readonly startedAt: Date;
  readonly place: Place;
  readonly kinds: KindReport[];
}

const ID = 'import';

/** How far an import has come: in the store that it writes to, saved after each page. */
export class Position {
  private saved: Saved | undefined;

  private constructor(
    private readonly db: mongo.Db,
    private readonly begun: Begun,
    /** When the import began, also if it goes on. */
    readonly startedAt: Date,
  ) {}

  /** Also that of an import that ended early. */
  static async open(db: mongo.Db, begun: Begun, isDryRun: boolean): Promise<Position> {
    const found = isDryRun ? null : await db.collection<Saved>(STORE_STATE).findOne({ _id: ID });
    const { source, days, hasKey } = found ?? {};
    const isOurs = isDeepStrictEqual({ source, days, hasKey }, begun);
    const position = new Position(db, begun, (isOurs && found?.startedAt) || new Date());
    if (isOurs && found !== null) position.saved = found;
    return position;
  }

  get place(): Place | undefined {
    return this.saved?.place;
  }

  get kinds(): readonly KindReport[] {
    return this.saved?.kinds ?? [];
  }

  async save(place: Place, kinds: KindReport[]): Promise<void> {
    const saved = { ...this.begun, startedAt: this.startedAt, place, kinds };
    await this.db.collection<Saved>(STORE_STATE).replaceOne({ _id: ID }, saved, { upsert: true });
  }

  async clear(): Promise<void> {
    await this.db.collection<Saved>(STORE_STATE).deleteOne({ _id: ID });
  }
}
