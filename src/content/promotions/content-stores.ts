import { Injectable } from '@nestjs/common';
import { CreateFeedDto, FeedsService } from '../feeds/index.js';
import { LayoutDefinitionDto, LayoutDefinitionsService, LayoutsService } from '../layouts/index.js';
import { CreateNotificationGroupDto, NotificationGroupsService } from '../notification-groups/index.js';
import { TranslationDefinitionDto, TranslationDefinitionsService, TranslationsService } from '../translations/index.js';
import { type DefinitionStore, everyPage, named, storeOf } from './definition-store.js';

/** What workflows name or show. */
@Injectable()
export class ContentStores {
  readonly all: readonly DefinitionStore[];

  constructor(
    groups: NotificationGroupsService,
    feeds: FeedsService,
    layouts: LayoutsService,
    layoutDefinitions: LayoutDefinitionsService,
    translations: TranslationsService,
    translationDefinitions: TranslationDefinitionsService,
  ) {
    this.all = [
      storeOf('notification-group', CreateNotificationGroupDto, {
        nameOf: ({ name }) => name,
        records: (tenant) => groups.definitions(tenant),
        define: (tenant, dto, isDryRun) => groups.define(tenant, dto, isDryRun),
        remove: (...given) => groups.remove(...given),
      }),
      storeOf('feed', CreateFeedDto, {
        nameOf: ({ name }) => name,
        records: async (tenant) => named(await feeds.list(tenant)),
        define: (tenant, dto, isDryRun) => feeds.define(tenant, dto, isDryRun),
        remove: (...given) => feeds.remove(...given),
      }),
      storeOf('layout', LayoutDefinitionDto, {
        nameOf: ({ identifier }) => identifier,
        records: (tenant) => everyPage((query) => layoutDefinitions.list(tenant, query)),
        define: (tenant, dto, isDryRun) => layoutDefinitions.define(tenant, dto, isDryRun),
        remove: (...given) => layouts.remove(...given),
      }),
      storeOf('translation', TranslationDefinitionDto, {
        nameOf: ({ locale }) => locale,
        records: (tenant) => everyPage((query) => translationDefinitions.list(tenant, query)),
        define: (tenant, dto, isDryRun) => translationDefinitions.define(tenant, dto, isDryRun),
        remove: (...given) => translations.remove(...given),
      }),
    ];
  }
}
