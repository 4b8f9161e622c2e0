import { readFileSync } from 'node:fs';
import { unknownFields } from './unknown-fields.js';

const schemaOf = (kind: string): object =>
  JSON.parse(readFileSync(new URL(`../../../../schemas/${kind}.json`, import.meta.url), 'utf8')) as object;
const inStep = (step: object): object => ({ steps: [step] });
const mail = (content: unknown, more: object = {}): object => inStep({ template: { type: 'email', content, ...more } });

describe('unknownFields', () => {
  it.each<[string, object, { path: string; nearest?: string }[]]>([
    ['a template', mail('a', { subjct: 'b' }), [{ path: 'steps.0.template.subjct', nearest: 'subject' }]],
    [
      'a block of a mail',
      mail([{ type: 'text', contnet: 'a' }]),
      [{ path: 'steps.0.template.content.0.contnet', nearest: 'content' }],
    ],
    [
      'the call to action of a message',
      inStep({ template: { type: 'in_app', cta: { data: { ulr: '/a' } } } }),
      [{ path: 'steps.0.template.cta.data.ulr', nearest: 'url' }],
    ],
    [
      'a template of another type',
      inStep({ template: { type: 'sms', preheader: 'a' } }),
      [{ path: 'steps.0.template.preheader' }],
    ],
    [
      'metadata, conditions and variants',
      inStep({
        metadata: { amonut: 1, timed: { atTiem: '9' } },
        filters: [{ children: [{ on: 'payload', feild: 'a' }] }],
        variants: [{ template: { type: 'chat', contents: 'a' } }],
      }),
      [
        { path: 'steps.0.metadata.amonut', nearest: 'amount' },
        { path: 'steps.0.metadata.timed.atTiem', nearest: 'atTime' },
        { path: 'steps.0.filters.0.children.0.feild', nearest: 'field' },
        { path: 'steps.0.variants.0.template.contents', nearest: 'content' },
      ],
    ],
    [
      'the workflow',
      { activ: true, preferenceSettings: { emial: true } },
      [
        { path: 'activ', nearest: 'active' },
        { path: 'preferenceSettings.emial', nearest: 'email' },
      ],
    ],
    ['nothing', { $schema: 'a', data: { any: { thing: 1 } }, steps: [{ template: null }, 5, null] }, []],
    ['an unknown type, about which nothing is known', inStep({ template: { type: 'fax', pages: 3 } }), []],
  ])('should name the fields of %s', (_case, definition, found) => {
    expect(unknownFields(definition, schemaOf('workflow'))).toEqual(found);
  });

  it.each([
    ['layout', { contnet: 'a', variables: [{ nmae: 'a' }] }, ['contnet', 'variables.0.nmae']],
    ['feed', { identifer: 'a' }, ['identifer']],
    ['notification-group', { nam: 'a' }, ['nam']],
    ['workflow-override', { preferenceSettings: { smss: true } }, ['preferenceSettings.smss']],
  ])('should know the fields of a %s', (kind, definition, paths) => {
    expect(unknownFields(definition, schemaOf(kind)).map(({ path }) => path)).toEqual(paths);
  });

  it('should say nothing where a schema lets anything pass', () => {
    const schema = { type: 'object', properties: { a: { type: 'object', additionalProperties: true } } };
    expect(unknownFields({ a: { b: 1 }, c: 1 }, schema)).toEqual([]);
  });
});
