import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { Clock, OnDomainEvent, type TenantContext } from '#libs/common';
import { AppLogger } from '#libs/http-kit';
import { derivedObjectId, type TenantModel, toObjectId } from '#libs/persistence';
import { MISSING_TRANSLATIONS } from '#libs/telemetry';
import { localeChain, NO_LOCALE } from '#libs/templates';
import { MissingTranslation } from './missing-translation.schema.js';
import { TranslationsMissed } from './translations.events.js';

/** Counts within this time share a write; they are lost if the process is killed. */
const WRITE_AFTER_MS = 2_000;
/** Of one environment; keys may come from payloads. */
const MAX_ROWS = 500;
/** That wait to be written, of all environments. */
const MAX_OPEN = 2_000;
const KEPT_MS = 30 * 86_400_000;

interface Open {
  readonly owner: TranslationsMissed['owner'];
  readonly locale: string;
  readonly key: string;
  count: number;
}

/** Counts what messages lacked, so that somebody can translate it. */
@Injectable()
export class MissingTranslations implements BeforeApplicationShutdown {
  private readonly open = new Map<string, Open>();
  private timer: NodeJS.Timeout | undefined;
  private isClosing = false;

  constructor(
    @InjectModel(MissingTranslation.name) private readonly rows: TenantModel<MissingTranslation>,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  @OnDomainEvent(TranslationsMissed)
  async onMissed({ owner, locale, keys }: TranslationsMissed): Promise<void> {
    for (const key of keys) this.count(owner, locale, key);
    if (this.isClosing) await this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** The most recent ones first. */
  list(tenant: TenantContext): Promise<MissingTranslation[]> {
    return this.rows.list(tenant, {}, { sort: { lastAt: -1 }, limit: MAX_ROWS });
  }

  /** A locale has these keys now, and those that fall back to it. */
  async settle(tenant: TenantContext, locale: string, keys: ReadonlySet<string>): Promise<void> {
    await this.drop(
      tenant,
      (one) => keys.has(one.key) && (one.locale === NO_LOCALE || localeChain(one.locale).includes(locale)),
    );
  }

  /** A locale is there no more. */
  async forget(tenant: TenantContext, locale: string): Promise<void> {
    await this.drop(tenant, (one) => one.locale === locale);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    await this.flush();
  }

  private async drop(
    tenant: TenantContext,
    isDone: (one: Pick<MissingTranslation, 'locale' | 'key'>) => boolean,
  ): Promise<void> {
    const { environmentId: _environmentId } = tenant;
    for (const [name, one] of this.open) {
      if (one.owner.environmentId === _environmentId && isDone(one)) this.open.delete(name);
    }
    const rows = await this.rows.list(tenant, {}, { fields: ['_id', 'locale', 'key'], limit: MAX_ROWS });
    const ids = rows.filter(isDone).map(({ _id }) => _id);
    if (ids.length > 0) await this.rows.deleteMany({ _environmentId, _id: { $in: ids } });
  }

  private count(owner: Open['owner'], locale: string, key: string): void {
    MISSING_TRANSLATIONS.add({});
    const name = JSON.stringify([owner.environmentId, locale, key]);
    const known = this.open.get(name);
    if (known !== undefined) known.count += 1;
    else if (this.open.size < MAX_OPEN) this.open.set(name, { owner, locale, key, count: 1 });
  }

  /** A failed write loses its counts: the trails have them. */
  private async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const all = [...this.open.values()];
    this.open.clear();
    const environments = new Map<string, Open[]>();
    for (const one of all) {
      const { environmentId } = one.owner;
      environments.set(environmentId, [...(environments.get(environmentId) ?? []), one]);
    }
    try {
      for (const [environmentId, counted] of environments) await this.write(environmentId, counted);
    } catch (error) {
      this.logger.error(error, MissingTranslations.name);
    }
  }

  private async write(environmentId: string, counted: readonly Open[]): Promise<void> {
    const now = this.clock.now();
    const stored = await this.rows.countDocuments({ _environmentId: environmentId }, { limit: MAX_ROWS });
    const writes = counted.map((one, at) => toWrite(one, now, stored + at < MAX_ROWS));
    await this.rows.collection.bulkWrite(writes, { ordered: false });
  }
}

function toWrite({ owner, locale, key, count }: Open, now: Date, upsert: boolean): mongo.AnyBulkWriteOperation {
  const _environmentId = toObjectId(owner.environmentId);
  const _organizationId = toObjectId(owner.organizationId);
  const created = { _environmentId, _organizationId, locale, key, deleted: false, createdAt: now, __v: 0 };
  return {
    updateOne: {
      filter: { _id: derivedObjectId(_environmentId, locale, key) },
      update: {
        $inc: { count },
        $set: { lastAt: now, updatedAt: now, expireAt: new Date(now.getTime() + KEPT_MS) },
        $setOnInsert: created,
      },
      upsert,
    },
  };
}
