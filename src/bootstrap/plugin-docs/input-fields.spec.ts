import { z } from 'zod';
import { inputSchema } from '#libs/templates';
import { inputFields } from './input-fields.js';

const fieldsOf = (input: z.ZodType): unknown[] =>
  inputFields(inputSchema(input)).map(({ path, type, isRequired, meaning }) => [path, type, isRequired, meaning]);

describe('inputFields', () => {
  it('should name each member with its type, its limits and its default', () => {
    const input = z.object({
      text: z.string().min(1).max(2000).describe('What is written'),
      times: z.coerce.number().int().min(1).default(1),
      mode: z.enum(['a', 'b']).optional(),
      either: z.union([z.boolean(), z.null()]),
      url: z.url(),
    });
    expect(fieldsOf(input)).toEqual([
      ['text', 'text', true, 'What is written. At least 1 character. At most 2,000 characters.'],
      ['times', 'whole number or text', false, 'At least 1. Default: 1.'],
      ['mode', '"a", "b"', false, ''],
      ['either', 'boolean or null', true, ''],
      ['url', 'text', true, 'Format: uri.'],
    ]);
  });

  it('should name the members of members and of entries', () => {
    const line = z.object({ sku: z.string() });
    expect(fieldsOf(z.object({ order: line, lines: z.array(line).max(3), tags: z.array(z.string()) }))).toEqual([
      ['order', 'object', true, ''],
      ['order.sku', 'text', true, ''],
      ['lines', 'list of object', true, 'At most 3 entries.'],
      ['lines[].sku', 'text', true, ''],
      ['tags', 'list of text', true, ''],
    ]);
  });

  it('should name nothing where the input is no object', () => {
    expect([fieldsOf(z.string()), fieldsOf(z.unknown())]).toEqual([[], []]);
  });
});
