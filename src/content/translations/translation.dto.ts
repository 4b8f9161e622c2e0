import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import { AsSent, IsName, IsValidBy } from '#libs/http-kit';
import { flatMessages, MAX_KEYS } from './messages.js';

const faultsOf = (value: unknown): string[] => flatMessages(value).faults;

const MESSAGES = { type: 'object', additionalProperties: true } as const;

export class SetTranslationDto {
  /**
   * Messages by key, in the syntax of ICU MessageFormat. Objects of messages become keys with dots.
   */
  @AsSent()
  @IsValidBy('areMessages', faultsOf)
  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, MESSAGES] },
    maxProperties: MAX_KEYS,
    example: {
      'order.shipped': 'Your order {number} is on its way',
      'cart.items': '{count, plural, one {# item} other {# items}}',
    },
  })
  messages: Record<string, unknown>;

  /**
   * True makes this the default locale of the environment. The first locale is it without being asked; otherwise, the default
   * stays as it is.
   */
  @IsOptional()
  @IsBoolean()
  @ApiPropertyOptional({ type: Boolean, nullable: true, example: true })
  isDefault?: boolean | null;
}

export class ChangeTranslationDto {
  /** Messages by key; null removes one. Other keys stay as they are. */
  @AsSent()
  @IsValidBy('areChanges', faultsOfChanges)
  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string', nullable: true }, MESSAGES] },
    maxProperties: MAX_KEYS,
    example: { 'order.shipped': 'Your order {number} has left our warehouse' },
  })
  messages: Record<string, unknown>;
}

/** A locale without ids. What is absent has its default. */
export class TranslationDefinitionDto extends SetTranslationDto {
  /**
   * Language, with script and region if needed. `fr_CA` is `fr-CA`.
   * @example de
   */
  @IsName()
  locale: string;
}

function faultsOfChanges(value: unknown): string[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap) return ['messages must be an object'];
  return faultsOf(Object.fromEntries(Object.entries(value).filter(([, message]) => message !== null)));
}
