import { toJsonSchema } from './json-schema.js';

const REFERENCE = { $ref: '#/components/schemas/Feed' };

describe('toJsonSchema', () => {
  it.each([
    ['a type or null', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'a value or null',
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    ['a reference or null', { allOf: [REFERENCE], nullable: true }, { oneOf: [REFERENCE, { type: 'null' }] }],
    ['one of several or null', { oneOf: [REFERENCE], nullable: true }, { oneOf: [REFERENCE, { type: 'null' }] }],
    ['examples', { type: 'array', example: ['a'] }, { type: 'array', examples: [['a']] }],
    ['exclusive limits', { minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }],
    ['references with a description', { description: 'A.', allOf: [REFERENCE] }, { ...REFERENCE, description: 'A.' }],
    ['parts', { allOf: [REFERENCE, { type: 'object' }] }, { allOf: [REFERENCE, { type: 'object' }] }],
  ])('should write %s as JSON Schema does', (_what, schema, expected) => {
    expect(toJsonSchema(schema)).toEqual(expected);
    expect(toJsonSchema({ type: 'object', properties: { a: schema } })).toMatchObject({ properties: { a: expected } });
    expect(toJsonSchema({ type: 'array', items: schema })).toMatchObject({ items: expected });
    expect(toJsonSchema({ additionalProperties: schema })).toEqual({ additionalProperties: expected });
  });
});
