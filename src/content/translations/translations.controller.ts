import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Put } from '@nestjs/common';
import { ApiNoContentResponse, ApiTags } from '@nestjs/swagger';
import type { TenantContext } from '#libs/common';
import { ApiData, ApiDataArray, ApiErrors, Audited, lookAt, Tenant } from '#libs/http-kit';
import { ChangeTranslationDto, SetTranslationDto } from './translation.dto.js';
import { LocaleResponse, MissingTranslationResponse, TranslationResponse } from './translation.response.js';
import {
  DefaultLocaleRequired,
  InvalidLocale,
  TooManyLocales,
  TranslationNotFound,
  TranslationsBusy,
} from './translations.errors.js';
import { TranslationsService } from './translations.service.js';

@ApiTags('Translations')
@Controller({ path: 'translations', version: '1' })
@Audited('translation', {
  look: lookAt(TranslationsService, (translations, caller, id) => translations.get(caller, id)),
  idField: 'locale',
})
export class TranslationsController {
  constructor(private readonly translations: TranslationsService) {}

  /** Lists the locales, without messages. */
  @Get()
  @ApiDataArray(200, LocaleResponse)
  listTranslations(@Tenant() tenant: TenantContext): Promise<LocaleResponse[]> {
    return this.translations.list(tenant);
  }

  /**
   * Lists the keys that messages used and that had no translation, the most recent first.
   * @remarks At most 500, each for 30 days after it was last used. A key leaves the list when it is translated.
   */
  @Get('missing')
  @ApiDataArray(200, MissingTranslationResponse)
  listMissingTranslations(@Tenant() tenant: TenantContext): Promise<MissingTranslationResponse[]> {
    return this.translations.listMissing(tenant);
  }

  /** Gets a locale with its messages. */
  @Get(':locale')
  @ApiData(200, TranslationResponse)
  @ApiErrors(InvalidLocale, TranslationNotFound)
  getTranslation(@Tenant() tenant: TenantContext, @Param('locale') locale: string): Promise<TranslationResponse> {
    return this.translations.get(tenant, locale);
  }

  /**
   * Creates a locale, or replaces all its messages.
   * @remarks Steps that run afterwards use the new words: templates show them with `{{t 'key'}}`.
   */
  @Put(':locale')
  @ApiData(200, TranslationResponse)
  @ApiErrors(InvalidLocale, TooManyLocales, TranslationsBusy)
  setTranslation(
    @Tenant() tenant: TenantContext,
    @Param('locale') locale: string,
    @Body() dto: SetTranslationDto,
  ): Promise<TranslationResponse> {
    return this.translations.set(tenant, locale, dto);
  }

  /** Changes, adds or removes some messages of a locale. */
  @Patch(':locale')
  @ApiData(200, TranslationResponse)
  @ApiErrors(InvalidLocale, TranslationNotFound, TranslationsBusy)
  changeTranslation(
    @Tenant() tenant: TenantContext,
    @Param('locale') locale: string,
    @Body() dto: ChangeTranslationDto,
  ): Promise<TranslationResponse> {
    return this.translations.merge(tenant, locale, dto);
  }

  /**
   * Deletes a locale.
   * @remarks Its readers get the words of the default locale from then on, which can be deleted only as the last one.
   */
  @Delete(':locale')
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Deleted' })
  @ApiErrors(InvalidLocale, TranslationNotFound, DefaultLocaleRequired, TranslationsBusy)
  deleteTranslation(@Tenant() tenant: TenantContext, @Param('locale') locale: string): Promise<void> {
    return this.translations.remove(tenant, locale);
  }
}
