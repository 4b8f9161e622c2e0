import { defineError } from '#libs/http-kit';

export const TranslationNotFound = defineError(
  404,
  'translation_not_found',
  (locale: string) =>
    `This environment has no translations for the locale '${locale}'. List its locales with GET /v1/translations.`,
  ['fr'],
);

export const InvalidLocale = defineError(
  400,
  'invalid_locale',
  (locale: string) => `'${locale}' is not a locale. Use a language with an optional region, such as fr or fr-CA.`,
  ['f'],
);

export const DefaultLocaleRequired = defineError(
  409,
  'default_locale_required',
  (locale: string) =>
    `'${locale}' is the default locale. Make another one the default first, with isDefault of PUT /v1/translations/{locale}`,
  ['en'],
);

export const TooManyLocales = defineError(
  409,
  'too_many_locales',
  (max: number) => `An environment can have translations for at most ${max} locales. Delete one that is not used.`,
  [50],
);

export const TranslationsBusy = defineError(
  409,
  'translations_busy',
  'Too many requests are changing these translations at the same time. Send the request again.',
  { retryAfterSeconds: 1, logLevel: 'warn' },
);
