import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { nanoid } from 'nanoid';
import type { TenantContext } from '#libs/common';
import { ValidationFailed } from '#libs/http-kit';
import { onDuplicateKey, ownedBy, type TenantModel, untilWritten } from '#libs/persistence';
import { canonicalLocale } from '#libs/templates';
import { Dictionaries } from './dictionaries.js';
import { faultsOfMessages, type Messages, weightOfMessages } from './messages.js';
import { MissingTranslations } from './missing-translations.js';
import { Translation } from './translation.schema.js';
import { InvalidLocale, TooManyLocales, TranslationsBusy } from './translations.errors.js';

const MAX_LOCALES = 50;

export type StoredTranslation = Pick<
  Translation,
  '_id' | 'locale' | 'isDefault' | 'messages' | 'revision' | 'updatedAt'
>;

/** What a change makes of a locale; undefined: nothing. */
export type Change = (
  before: StoredTranslation | undefined,
) => { readonly messages: Messages; readonly isDefault: boolean } | undefined;

/** Writes locales, each as one write that fails if another request came in between. */
@Injectable()
export class TranslationStore {
  constructor(
    @InjectModel(Translation.name) private readonly translations: TenantModel<Translation>,
    private readonly dictionaries: Dictionaries,
    private readonly missing: MissingTranslations,
  ) {}

  find(tenant: TenantContext, locale: string): Promise<StoredTranslation | undefined> {
    return this.translations.one(tenant, { locale });
  }

  /** @returns the row as it is now, or undefined if nothing was to be changed @throws {ValidationFailed} */
  async change(tenant: TenantContext, locale: string, change: Change): Promise<Translation | undefined> {
    const written = await untilWritten(
      async () => {
        const before = await this.find(tenant, locale);
        const after = change(before);
        if (after === undefined) return { row: undefined };
        const faults = await faultsOfMessages(after.messages, locale);
        if (faults.length > 0) throw new ValidationFailed(faults);
        const row = await this.write(tenant, locale, before, after);
        return row && { row };
      },
      () => new TranslationsBusy(),
    );
    if (written.row !== undefined) await this.afterChange(tenant, locale, written.row);
    return written.row;
  }

  /** The first locale of an environment is its default. */
  private async write(
    tenant: TenantContext,
    locale: string,
    before: StoredTranslation | undefined,
    after: { readonly messages: Messages; readonly isDefault: boolean },
  ): Promise<Translation | undefined> {
    const { environmentId: _environmentId } = tenant;
    const others = await this.translations.list(tenant, {}, { fields: ['locale', 'isDefault'] });
    if (before === undefined && others.length >= MAX_LOCALES) throw new TooManyLocales(MAX_LOCALES);
    const isDefault = after.isDefault || others.every((other) => !other.isDefault);
    if (isDefault && before?.isDefault !== true) {
      await this.translations.updateMany({ _environmentId, isDefault: true }, { isDefault: false });
    }
    const fields = {
      messages: JSON.stringify(after.messages),
      ...weightOfMessages(after.messages),
      revision: nanoid(12),
    };
    if (before === undefined) {
      const row = { ...ownedBy(tenant), locale, isDefault, ...fields };
      return this.translations.create(row).then(
        (created) => created.toObject(),
        onDuplicateKey(() => undefined),
      );
    }
    return this.translations
      .findOneAndUpdate(
        { _id: before._id, _environmentId, revision: before.revision },
        { $set: { ...fields, ...(isDefault && { isDefault }) } },
        { returnDocument: 'after' },
      )
      .lean()
      .exec()
      .then(
        (row) => row ?? undefined,
        onDuplicateKey(() => undefined),
      );
  }

  private async afterChange(tenant: TenantContext, locale: string, { messages }: Translation): Promise<void> {
    this.dictionaries.forget(tenant.environmentId);
    await this.missing.settle(tenant, locale, new Set(Object.keys(JSON.parse(messages) as object)));
  }
}

/** @throws {InvalidLocale} */
export function localeOf(text: string): string {
  const locale = canonicalLocale(text);
  if (locale === undefined) throw new InvalidLocale(text.slice(0, 50));
  return locale;
}
