import fc from 'fast-check';
import { DefinitionText, printYaml } from './definition-text.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_123 });

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    'a\nb',
    'a\n',
    ' a\n b\n',
    '\n',
    'a \nb',
    'on',
    '1e3',
    'null',
    '# no',
    '{{{body}}}\n',
    'a\r\nb',
    '\ta',
    '---\nb',
  ),
  fc.array(fc.string(), { minLength: 2 }).map((lines) => lines.join('\n')),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, text, fc.boolean(), fc.integer(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.dictionary(
    text.filter((key) => key !== '__proto__' && key !== '$schema'),
    tie('value'),
    { maxKeys: 4 },
  ),
})).object;

/** The values of each list are aliases of the list above. */
const aliasBomb = [
  'name: x',
  'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(10).fill(`*a${at}`).join(', ')}]`),
]
  .join('\n')
  .replace('a0: &a0', '# bomb\na0: &a0');

describe('DefinitionText', () => {
  it('should read what printYaml writes', () => {
    fc.assert(
      fc.property(value, (definition) => {
        expect(DefinitionText.parse(printYaml(definition, 'x.json'))).toMatchObject({ faults: [], definition });
      }),
      { numRuns: 500 },
    );
  });

  it('should say anything else after a change, whatever it said before', () => {
    fc.assert(
      fc.property(value, value, (before, after) => {
        const changed = DefinitionText.parse(printYaml(before)).withDefinition(after);
        expect(DefinitionText.parse(changed).definition).toEqual(after);
      }),
      { numRuns: 500 },
    );
  });

  it('should write texts of several lines as blocks', () => {
    expect(printYaml({ steps: [{ content: '<p>\n  a\n</p>\n' }] })).toBe(
      'steps:\n  - content: |\n      <p>\n        a\n      </p>\n',
    );
  });

  it('should keep comments, and entries with the fields that name them', () => {
    const before = [
      '# Orders',
      'name: Old # the name',
      'steps:',
      '  # first a message',
      '  - uuid: message',
      '    content: a',
      '  # then a mail',
      '  - uuid: mail',
      '    content: b # short',
      '',
    ].join('\n');
    const steps = [
      { uuid: 'new', content: 'c' },
      { uuid: 'message', content: 'a' },
      { uuid: 'mail', content: 'd' },
    ];
    const after = DefinitionText.parse(before).withDefinition({ name: 'New', steps });
    for (const comment of ['# Orders', '# the name', '# first a message', '# then a mail', '# short']) {
      expect(after).toContain(comment);
    }
    expect(DefinitionText.parse(after).definition).toEqual({ name: 'New', steps });
  });

  it('should find the place of a field, or of the one around it', () => {
    const file = DefinitionText.parse('name: x\nsteps:\n  - template:\n      type: sms\n  - {}\n');
    expect(file.placeOf('steps.0.template.type')).toEqual({ line: 4, column: 7 });
    expect(file.placeOf('steps.0.template.content')).toEqual({ line: 3, column: 5 });
    expect(file.placeOf('steps.1')).toEqual({ line: 5, column: 5 });
    expect(file.placeOf('')).toEqual({ line: 1, column: 1 });
  });

  it.each([
    ['an open bracket', 'name: x\nsteps: [\n', 3],
    ['a field twice', 'name: x\nname: y\n', 2],
    ['a list', '- a\n', 1],
    ['nothing', '', 1],
    ['aliases that multiply', aliasBomb, 4],
    ['an alias of what is not there', 'name: x\nsteps: *none\n', 2],
    ['a list that is too deep and open', `name: x\nsteps: ${'['.repeat(20_000)}`, 2],
    ['a list that is too deep', `name: x\nsteps: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 2],
  ])('should name the line of %s', (_case, source, line) => {
    expect(DefinitionText.parse(source).faults).toEqual([
      { line, column: expect.any(Number) as number, message: expect.any(String) as string },
    ]);
  });

  it('should leave out the address of the schema', () => {
    expect(DefinitionText.parse('{"$schema": "x", "name": "a"}').definition).toEqual({ name: 'a' });
  });
});
