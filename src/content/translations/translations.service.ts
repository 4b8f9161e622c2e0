import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { TenantContext } from '#libs/common';
import type { TenantModel } from '#libs/persistence';
import { Dictionaries } from './dictionaries.js';
import { flatMessages, type Messages } from './messages.js';
import { MissingTranslations } from './missing-translations.js';
import type { ChangeTranslationDto, SetTranslationDto } from './translation.dto.js';
import {
  type LocaleResponse,
  type MissingTranslationResponse,
  showLocale,
  showMissing,
  showTranslation,
  type TranslationResponse,
} from './translation.response.js';
import { Translation } from './translation.schema.js';
import { type Change, localeOf, TranslationStore } from './translation-store.js';
import { DefaultLocaleRequired, TranslationNotFound, TranslationsBusy } from './translations.errors.js';

const SUMMARY = ['locale', 'isDefault', 'keyCount', 'updatedAt'] as const;

@Injectable()
export class TranslationsService {
  constructor(
    @InjectModel(Translation.name) private readonly translations: TenantModel<Translation>,
    private readonly store: TranslationStore,
    private readonly dictionaries: Dictionaries,
    private readonly missing: MissingTranslations,
  ) {}

  async list(tenant: TenantContext): Promise<LocaleResponse[]> {
    const rows = await this.translations.list(tenant, {}, { sort: { locale: 1 }, fields: [...SUMMARY] });
    return rows.map((row) => showLocale(row));
  }

  async get(tenant: TenantContext, text: string): Promise<TranslationResponse> {
    const locale = localeOf(text);
    const row = await this.translations.one(tenant, { locale });
    if (row === undefined) throw new TranslationNotFound(locale);
    return showTranslation(row, JSON.parse(row.messages) as Messages);
  }

  /** Creates a locale, or replaces its messages. */
  async set(tenant: TenantContext, text: string, dto: SetTranslationDto): Promise<TranslationResponse> {
    const { messages } = flatMessages(dto.messages);
    return this.write(tenant, localeOf(text), () => ({ messages, isDefault: dto.isDefault === true }));
  }

  /** Changes some messages. */
  async merge(tenant: TenantContext, text: string, dto: ChangeTranslationDto): Promise<TranslationResponse> {
    const locale = localeOf(text);
    const entries = Object.entries(dto.messages);
    const removed = new Set(entries.flatMap(([key, message]) => (message === null ? [key] : [])));
    const { messages: added } = flatMessages(Object.fromEntries(entries.filter(([, message]) => message !== null)));
    return this.write(tenant, locale, (before) => {
      if (before === undefined) throw new TranslationNotFound(locale);
      const stored = Object.entries(JSON.parse(before.messages) as Messages);
      const kept = Object.fromEntries(stored.filter(([key]) => !removed.has(key)));
      return { messages: { ...kept, ...added }, isDefault: false };
    });
  }

  async remove(tenant: TenantContext, text: string): Promise<void> {
    const locale = localeOf(text);
    const { environmentId: _environmentId } = tenant;
    const rows = await this.translations.list(tenant, {}, { fields: ['_id', 'locale', 'isDefault'] });
    const row = rows.find((one) => one.locale === locale);
    if (row === undefined) throw new TranslationNotFound(locale);
    if (row.isDefault && rows.length > 1) throw new DefaultLocaleRequired(locale);
    // Another request may have made it the default, or deleted it.
    const where = { _id: row._id, _environmentId, isDefault: row.isDefault };
    const { deletedCount } = await this.translations.deleteOne(where);
    if (deletedCount === 0) throw new TranslationsBusy();
    this.dictionaries.forget(_environmentId);
    await this.missing.forget(tenant, locale);
  }

  async listMissing(tenant: TenantContext): Promise<MissingTranslationResponse[]> {
    const rows = await this.missing.list(tenant);
    return rows.map((row) => showMissing(row));
  }

  private async write(tenant: TenantContext, locale: string, change: Change): Promise<TranslationResponse> {
    const row = await this.store.change(tenant, locale, change);
    if (row === undefined) throw new TranslationsBusy();
    return showTranslation(row, JSON.parse(row.messages) as Messages);
  }
}
