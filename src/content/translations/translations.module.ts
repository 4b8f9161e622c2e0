import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Dictionaries } from './dictionaries.js';
import { MissingTranslation, MissingTranslationSchema } from './missing-translation.schema.js';
import { MissingTranslations } from './missing-translations.js';
import { TranslationDefinitionsService } from './translation-definitions.service.js';
import { Translation, TranslationSchema } from './translation.schema.js';
import { TranslationStore } from './translation-store.js';
import { TranslationsController } from './translations.controller.js';
import { TranslationsService } from './translations.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([
      { name: Translation.name, schema: TranslationSchema },
      { name: MissingTranslation.name, schema: MissingTranslationSchema },
    ]),
  ],
  controllers: [TranslationsController],
  providers: [Dictionaries, MissingTranslations, TranslationStore, TranslationsService, TranslationDefinitionsService],
  exports: [Dictionaries, TranslationDefinitionsService, TranslationsService],
})
export class TranslationsModule {}
