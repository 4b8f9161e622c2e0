import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import {
  type DefinedRecord,
  type DefinitionChange,
  definitionChange,
  isChange,
  type TenantContext,
} from '#libs/common';
import { Page, type PageQuery, ValidationFailed } from '#libs/http-kit';
import type { TenantModel } from '#libs/persistence';
import { faultsOfMessages, flatMessages, type Messages } from './messages.js';
import type { TranslationDefinitionDto } from './translation.dto.js';
import { Translation } from './translation.schema.js';
import { localeOf, type StoredTranslation, TranslationStore } from './translation-store.js';

/** The order in which all of them can be deleted. */
const DEFAULT_LAST = { isDefault: 1, locale: 1 } as const;

/** Locales as files. */
@Injectable()
export class TranslationDefinitionsService {
  constructor(
    @InjectModel(Translation.name) private readonly translations: TenantModel<Translation>,
    private readonly store: TranslationStore,
  ) {}

  async list(tenant: TenantContext, query: PageQuery): Promise<Page<DefinedRecord<TranslationDefinitionDto>>> {
    const { rows, hasMore } = await this.translations.page(tenant, {}, { ...query, sort: DEFAULT_LAST });
    const records = rows.map((row) => ({ id: row.locale, definition: definitionOf(row) }));
    return new Page(records, query.page, query.limit, hasMore);
  }

  /** @param isDryRun only reports what would happen @throws {ValidationFailed} */
  async define(
    tenant: TenantContext,
    dto: TranslationDefinitionDto,
    isDryRun: boolean,
  ): Promise<DefinitionChange<TranslationDefinitionDto>> {
    const locale = localeOf(dto.locale);
    const { messages } = flatMessages(dto.messages);
    const faults = await faultsOfMessages(messages, locale);
    if (faults.length > 0) throw new ValidationFailed(faults);
    let result = changeOf(locale, await this.store.find(tenant, locale), messages, dto);
    if (!isChange(result, isDryRun)) return result;
    await this.store.change(tenant, locale, (before) => {
      result = changeOf(locale, before, messages, dto);
      return isChange(result, isDryRun) ? { messages, isDefault: result.after.isDefault === true } : undefined;
    });
    return result;
  }
}

function changeOf(
  locale: string,
  before: StoredTranslation | undefined,
  messages: Messages,
  { isDefault }: TranslationDefinitionDto,
): DefinitionChange<TranslationDefinitionDto> {
  const after = {
    locale,
    isDefault: isDefault === true || before?.isDefault === true,
    messages: JSON.stringify(messages),
  };
  return definitionChange(before ? definitionOf(before) : null, definitionOf(after));
}

function definitionOf({
  locale,
  isDefault,
  messages,
}: Pick<StoredTranslation, 'locale' | 'isDefault' | 'messages'>): TranslationDefinitionDto {
  return { locale, ...(isDefault && { isDefault }), messages: JSON.parse(messages) as Record<string, unknown> };
}
