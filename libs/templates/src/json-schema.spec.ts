import { schemaFault } from './json-schema.js';
import { TemplateError } from './template-error.js';

const fault = (schema: object, value: unknown): Promise<string | undefined> =>
  schemaFault(JSON.stringify(schema), JSON.stringify(value));

describe('schemaFault', () => {
  it.each<[object, unknown, string | undefined]>([
    [{}, 5, undefined],
    [{ type: 'object', required: ['id'] }, { id: 1 }, undefined],
    [{ type: 'object', required: ['id'] }, {}, "it must have required property 'id'"],
    [{ properties: { a: { items: { type: 'integer' } } } }, { a: [1, 'x'] }, '/a/1 must be integer'],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'string' }, 'x', undefined],
    [{ $id: 'https://example.com/a', format: 'unknown', ownWord: true }, 'x', undefined],
    [{ $ref: '#/definitions/a', definitions: { a: { type: 'string' } } }, 1, 'it must be string'],
  ])('should compare with %j', async (schema, value, expected) => {
    expect(await fault(schema, value)).toBe(expected);
    // Now from what is known.
    expect(await fault(schema, value)).toBe(expected);
  });

  it.each([{ type: 'nonsense' }, { pattern: '(' }, { $ref: 'https://example.com/other' }])(
    'should refuse %j, and fetch nothing',
    async (schema) => {
      await expect(fault(schema, 'x')).rejects.toThrow(TemplateError);
    },
  );
});
