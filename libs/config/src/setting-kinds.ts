import { z } from 'zod';

export const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((value) => value === '1' || value === 'true');
export const whole = (fallback: number, min: number, max: number): z.ZodDefault<z.ZodCoercedNumber> =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min)
    .max(max)
    .default(fallback);
/** A number without a default. */
export const optionalWhole = (min: number, max: number): z.ZodOptional<z.ZodCoercedNumber> =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min)
    .max(max)
    .optional();
export const optionalText = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === '' ? undefined : value));

/** Sizes are written as bytes or with a unit: `1mb`, `500kb`. */
export const byteSize = (fallback: string): z.ZodType<number, string | undefined> =>
  z
    .string()
    .regex(/^\d+(b|kb|mb)?$/i, 'must be a number of bytes, or end in kb or mb')
    .default(fallback)
    .transform((text) => {
      const unit = /mb$/i.test(text) ? 1_048_576 : /kb$/i.test(text) ? 1024 : 1;
      return Number.parseInt(text, 10) * unit;
    });

/** Texts separated by commas; empty if the setting is absent. */
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part.length > 0),
  );
