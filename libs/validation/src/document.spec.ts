import { z } from 'zod';
import { flag, list, object, text, unchecked } from './declare.js';
import { described, documentAs, membersOf, named, open, openApiComponents, openApiOf } from './document.js';

const child = named('SpecChild', open(object({ a: text(3) })), 'A child.');
const parent = named(
  'SpecParent',
  object({
    one: described(child.nullish(), { description: 'One.' }),
    many: described(list(child, { max: 2, error: 'must be a list' }), { description: 'Many.' }),
    nothing: described(text(3).nullish(), { description: 'Null means none.', nullable: true }),
    shown: described(unchecked(z.array(z.string())), { description: 'Shown.', example: ['x'] }),
  }),
);

describe('openApiComponents', () => {
  it('should define each named schema once, and refer to the others', () => {
    const { SpecChild, SpecParent } = openApiComponents();
    const $ref = '#/components/schemas/SpecChild';
    expect(SpecChild).toEqual({
      type: 'object',
      description: 'A child.',
      properties: { a: { type: 'string', maxLength: 3 } },
      required: ['a'],
      additionalProperties: true,
    });
    expect(SpecParent).toEqual({
      type: 'object',
      properties: {
        one: { description: 'One.', allOf: [{ $ref }] },
        many: { description: 'Many.', type: 'array', maxItems: 2, items: { $ref } },
        nothing: { description: 'Null means none.', type: 'string', maxLength: 3, nullable: true },
        shown: { description: 'Shown.', type: 'array', items: { type: 'string' }, example: ['x'] },
      },
      required: ['many'],
    });
  });
});

describe('openApiOf', () => {
  it('should refer to a component and define everything else', () => {
    expect(openApiOf(parent)).toEqual({ $ref: '#/components/schemas/SpecParent' });
    expect(openApiOf(z.union([text(1), flag()]))).toEqual({
      oneOf: [{ type: 'string', maxLength: 1 }, { type: 'boolean' }],
    });
  });

  it('should document a schema in one place only as another', () => {
    const shared = flag();
    const shown = documentAs(text(2), shared);
    expect([openApiOf(shown), openApiOf(shared)]).toEqual([{ type: 'string', maxLength: 2 }, { type: 'boolean' }]);
  });
});

describe('membersOf', () => {
  it('should name the members, and look into no value that keeps others', () => {
    expect(membersOf(parent)).toEqual({ one: true, many: true, nothing: true, shown: true });
    expect(membersOf(list(object({ a: object({ b: flag() }) }), { error: 'must be a list' }))).toEqual({
      a: { b: true },
    });
  });
});
