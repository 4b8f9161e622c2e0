import { ApiProperty } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import { type Direction, directionOf } from '#libs/templates';
import type { MissingTranslation } from './missing-translation.schema.js';
import type { Messages } from './messages.js';
import type { Translation } from './translation.schema.js';

/** A locale of the environment. */
export class LocaleResponse {
  /** Language, with script and region if needed. @example de-AT */
  locale: string;
  /** Whether its words are shown where the reader's locale has none. */
  isDefault: boolean;
  /** Direction in which it is written. */
  @ApiProperty({ enum: ['ltr', 'rtl'] })
  direction: Direction;
  /** Number of keys. @example 120 */
  keyCount: number;
  /** When it was last changed. */
  updatedAt: Date;
}

/** A locale with its messages. */
export class TranslationResponse extends LocaleResponse {
  /** Messages by key. */
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'order.shipped': 'Your order {number} is on its way' },
  })
  messages: Record<string, string>;
}

/** A key that messages used and the reader's locale lacked. */
export class MissingTranslationResponse {
  /** Key. @example order.shipped */
  key: string;
  /** Locale that lacks it; `und` if the environment had no translations at all. @example fr */
  locale: string;
  /** In how many messages, about: counts of a killed process are lost. @example 12 */
  count: number;
  /** When last. */
  lastAt: Date;
}

export type TranslationSummary = Pick<Translation, 'locale' | 'isDefault' | 'keyCount' | 'updatedAt'>;

function summaryOf({ locale, isDefault, keyCount, updatedAt }: TranslationSummary): LocaleResponse {
  return { locale, isDefault, direction: directionOf(locale), keyCount, updatedAt };
}

export function showLocale(row: TranslationSummary): LocaleResponse {
  return shown(LocaleResponse, summaryOf(row));
}

export function showTranslation(row: TranslationSummary, messages: Messages): TranslationResponse {
  return shown(TranslationResponse, { ...summaryOf(row), messages: { ...messages } });
}

export function showMissing({ key, locale, count, lastAt }: MissingTranslation): MissingTranslationResponse {
  return shown(MissingTranslationResponse, { key, locale, count, lastAt });
}
