import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiData, ApiErrors, ApiPage, Audited, lookAt, type Page, PageQuery, Tenant } from '#libs/http-kit';
import type { DefinedRecord, TenantContext } from '#libs/common';
import {
  InvalidLocale,
  TooManyLocales,
  TranslationDefinitionDto,
  TranslationDefinitionsService,
  TranslationsService,
  TranslationsBusy,
} from '../translations/index.js';
import { assertSame } from './assert-same.js';
import { DefineQuery } from './definition.dto.js';
import { TranslationChangeResponse, TranslationRecordResponse, showChange } from './definition.response.js';

/** Translations as files have them. */
@ApiTags('Definitions')
@Controller({ path: 'definitions/translations', version: '1' })
export class TranslationDefinitionsController {
  constructor(private readonly translations: TranslationDefinitionsService) {}

  /** Lists the definitions of the locales by name, the default last. */
  @Get()
  @ApiPage(TranslationRecordResponse)
  listTranslationDefinitions(
    @Tenant() tenant: TenantContext,
    @Query() query: PageQuery,
  ): Promise<Page<DefinedRecord<TranslationDefinitionDto>>> {
    return this.translations.list(tenant, query);
  }

  /**
   * Creates or replaces the translations of a locale.
   * @remarks The same definition again changes nothing. `locale` of the body equals the locale in the path.
   */
  @Put(':locale')
  @Audited('translation', {
    look: lookAt(TranslationsService, (translations, caller, id) => translations.get(caller, id)),
    byFiles: true,
  })
  @ApiData(200, TranslationChangeResponse)
  @ApiErrors(InvalidLocale, TooManyLocales, TranslationsBusy)
  async defineTranslation(
    @Tenant() tenant: TenantContext,
    @Param('locale') locale: string,
    @Query() { dryRun = false }: DefineQuery,
    @Body() dto: TranslationDefinitionDto,
  ): Promise<TranslationChangeResponse> {
    assertSame({ locale: [dto.locale, locale] });
    return showChange(TranslationChangeResponse, await this.translations.define(tenant, dto, dryRun));
  }
}
