import { readFileSync } from 'node:fs';
import { simplified } from './simple-openapi.mjs';

const schemaOf = (schema) =>
  simplified({ components: { schemas: { A: { type: 'object', properties: { a: schema } } } } }).components.schemas.A
    .properties.a;

describe('simplified', () => {
  it.each([
    [
      { type: ['string', 'null'], enum: ['a', null] },
      { type: 'string', enum: ['a'], nullable: true },
    ],
    [
      { oneOf: [{ $ref: '#/components/schemas/B' }, { type: 'null' }] },
      { allOf: [{ $ref: '#/components/schemas/B' }], nullable: true },
    ],
    [{ $ref: '#/components/schemas/B' }, { $ref: '#/components/schemas/B' }],
    [
      { $ref: '#/components/schemas/B', description: 'B.' },
      { allOf: [{ $ref: '#/components/schemas/B' }], description: 'B.' },
    ],
    [{ oneOf: [{ type: 'string' }, { type: 'array', items: {} }], description: 'Any.' }, { description: 'Any.' }],
    [
      { type: 'number', exclusiveMinimum: 0, examples: [1] },
      { type: 'number', minimum: 0, exclusiveMinimum: true, example: 1 },
    ],
  ])('should write %j in the way of OpenAPI 3.0', (schema, expected) => {
    expect(schemaOf(schema)).toEqual(expected);
  });

  it('should leave nothing of OpenAPI 3.1 in the document of Herald', () => {
    const text = JSON.stringify(simplified(JSON.parse(readFileSync('openapi.json', 'utf8'))));
    expect(text).toContain('"openapi":"3.0.3"');
    expect(text.match(/"type":"null"|"type":\[|"oneOf"|"webhooks":\{/g)).toBeNull();
  });
});
