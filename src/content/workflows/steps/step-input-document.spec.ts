import { z } from 'zod';
import { inputSchema, withExpressions } from './step-input-document.js';

const EXPRESSION = { type: 'string', pattern: '\\{\\{' };

describe('the documented input of a step', () => {
  it('should take an expression in place of any value that has rules, at any depth', () => {
    const input = z.object({
      text: z.string(),
      name: z.string().max(3).describe('Name.'),
      colour: z.enum(['red', 'green']).default('red'),
      list: z.array(z.object({ at: z.int() })),
      either: z.union([z.literal('none'), z.boolean()]).optional(),
    });
    expect(withExpressions(inputSchema(input))).toEqual({
      type: 'object',
      required: ['text', 'name', 'list'],
      properties: {
        text: { type: 'string' },
        name: { description: 'Name.', anyOf: [{ type: 'string', maxLength: 3 }, EXPRESSION] },
        colour: { default: 'red', anyOf: [{ type: 'string', enum: ['red', 'green'] }, EXPRESSION] },
        list: {
          type: 'array',
          items: {
            type: 'object',
            required: ['at'],
            properties: { at: { anyOf: [expect.objectContaining({ type: 'integer' }), EXPRESSION] } },
          },
        },
        either: {
          anyOf: [
            { anyOf: [{ type: 'string', const: 'none' }, EXPRESSION] },
            { anyOf: [{ type: 'boolean' }, EXPRESSION] },
          ],
        },
      },
    });
  });

  it('should take texts for numbers and switches that the plugin converts', () => {
    const input = z.strictObject({ times: z.coerce.number().max(3), isOn: z.coerce.boolean() });
    expect(inputSchema(input)).toMatchObject({
      properties: { times: { type: ['number', 'string'], maximum: 3 }, isOn: { type: ['boolean', 'string'] } },
      additionalProperties: false,
    });
  });

  it('should say nothing about what refers to itself, and show what cannot be shown as any value', () => {
    const tree: z.ZodType = z.object({ children: z.lazy(() => z.array(tree)) });
    expect(inputSchema(tree)).toEqual({});
    expect(inputSchema(z.object({ at: z.date(), checked: z.string().refine(() => false) }))).toMatchObject({
      properties: { at: {}, checked: { type: 'string' } },
    });
  });
});
