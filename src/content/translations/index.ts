export { Dictionaries } from './dictionaries.js';
export { faultsOfMessages, flatMessages, weightOfMessages } from './messages.js';
export { TranslationDefinitionDto } from './translation.dto.js';
export { TranslationDefinitionsService } from './translation-definitions.service.js';
export { InvalidLocale, TooManyLocales, TranslationsBusy } from './translations.errors.js';
export { TranslationsMissed } from './translations.events.js';
export { TranslationsService } from './translations.service.js';
export { TranslationsModule } from './translations.module.js';
