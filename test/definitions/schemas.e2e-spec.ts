import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { stepFactory } from '../factories/workflow.factory.js';
import type { Json } from '../support/answers.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

const schemaOf = (kind: string): ReturnType<Ajv['compile']> =>
  new Ajv({ strict: false }).compile(JSON.parse(readFileSync(`schemas/${kind}.json`, 'utf8')) as Json);

const step = (template: Json, rest: Json = {}): Json => ({ steps: [stepFactory(template, rest)] });
const MAIL = { type: 'email', subject: 'a', content: 'b', contentType: 'customHtml' };

const workflows: [what: string, more: Json][] = [
  ['the least', {}],
  ['every field', { description: 'a', critical: true, severity: 'high', tags: ['a'], data: { a: 1 }, active: false }],
  [
    'null for what is optional',
    { description: null, tags: null, severity: null, preferenceSettings: null, data: null },
  ],
  [
    'null in a step',
    { steps: [{ ...stepFactory({ title: null }), uuid: null, name: null, metadata: null, variants: null }] },
  ],
  ['a number as name', { name: 5 }],
  ['no name', { name: undefined }],
  ['an empty name', { name: '' }],
  ['a long name', { name: 'x'.repeat(256) }],
  ['an unknown field', { nmae: 'x' }],
  ['an unknown severity', { severity: 'urgent' }],
  ['a text as active', { active: 'yes' }],
  ['a number as tag', { tags: [1] }],
  ['no steps', { steps: undefined }],
  ['text as steps', { steps: 'a' }],
  ['an unknown channel', { preferenceSettings: { fax: true } }],
  ['a switch of text', { preferenceSettings: { sms: 'off' } }],
  ['a step without a template', { steps: [{ name: 'a' }] }],
  ['an unknown field of a step', step({}, { nmae: 'x' })],
  ['an unknown type', step({ type: 'fax' })],
  ['no type', step({ type: undefined })],
  ['a mail with text', step(MAIL)],
  ['a mail with blocks', step({ type: 'email', content: [{ type: 'text', content: 'a' }] })],
  ['an unknown block', step({ type: 'email', content: [{ type: 'image', content: 'a' }] })],
  ['an unknown format', step({ ...MAIL, contentType: 'markdown' })],
  ['a number as subject', step({ ...MAIL, subject: 1 })],
  ['a call to action', step({ cta: { type: 'redirect', data: { url: '/a' }, action: { buttons: [] } } })],
  ['an unknown call to action', step({ cta: { type: 'popup' } })],
  ['an unknown variable type', step({ variables: [{ name: 'a', type: 'Date' }] })],
  [
    'conditions',
    step({}, { filters: [{ value: 'OR', children: [{ on: 'payload', field: 'a', operator: 'EQUAL', value: '1' }] }] }),
  ],
  [
    'an unknown operator',
    step({}, { filters: [{ children: [{ on: 'payload', field: 'a', operator: 'LIKE', value: '1' }] }] }),
  ],
  ['a group without conditions', step({}, { filters: [{ value: 'AND' }] })],
  [
    'a wait',
    {
      steps: [
        {
          template: { type: 'wait_for_event' },
          metadata: { event: 'message.read', amount: 1, unit: 'hours', onMatch: 'stop' },
        },
      ],
    },
  ],
  ['a throttle', { steps: [{ template: { type: 'throttle' }, metadata: { amount: 1, unit: 'hours', threshold: 2 } }] }],
  ['a delay', { steps: [{ template: { type: 'delay' }, metadata: { type: 'regular', amount: 1, unit: 'hours' } }] }],
  [
    'an unknown unit',
    { steps: [{ template: { type: 'delay' }, metadata: { type: 'regular', amount: 1, unit: 'eons' } }] },
  ],
];

const layouts: [what: string, more: Json][] = [
  ['the least', {}],
  [
    'every field',
    { description: 'a', isDefault: true, variables: [{ name: 'year', type: 'String', required: false }] },
  ],
  ['null for what is optional', { description: null, isDefault: null, variables: null }],
  ['no content', { content: undefined }],
  ['a number as content', { content: 1 }],
  ['an unknown field', { html: 'x' }],
];

/** A field that Herald does not know is stored without it, and the program refuses its file. */
async function isAccepted(path: string, body: Json): Promise<boolean> {
  const answer = await session.put(`${path}?dryRun=true`, body);
  return answer.status === 200 && answer.headers['herald-warning'] === undefined;
}

describe('JSON schemas of files', () => {
  it.each([
    ['a template', step({ colour: 'red' })],
    ['a call to action', step({ cta: { type: 'redirect', data: { url: '/a', colour: 'red' } } })],
    ['the actor', step({ actor: { type: 'none', colour: 'red' } })],
  ])('should be closed where the API keeps the fields of clients, in %s', async (_what, more) => {
    const body = { identifier: 'a', name: 'A', notificationGroup: 'General', ...more };
    expect(await isAccepted('/v1/definitions/workflows/a', body)).toBe(true);
    expect(schemaOf('workflow')(body)).toBe(false);
  });

  it.each(workflows)('should agree with the API about a workflow with %s', async (_what, more) => {
    const base = { identifier: 'a', name: 'A', notificationGroup: 'General', ...step({}) };
    const body = JSON.parse(JSON.stringify({ ...base, ...more })) as Json;
    const fits = schemaOf('workflow');
    const accepted = await isAccepted('/v1/definitions/workflows/a', body);
    expect([fits(body), fits.errors?.[0]?.instancePath]).toEqual([accepted, accepted ? undefined : expect.anything()]);
  });

  it.each(layouts)('should agree with the API about a layout with %s', async (_what, more) => {
    const body = JSON.parse(JSON.stringify({ identifier: 'a', name: 'A', content: '{{{body}}}', ...more })) as Json;
    expect(schemaOf('layout')(body)).toBe(await isAccepted('/v1/definitions/layouts/a', body));
  });

  it.each([
    ['texts', { a: 'x', 'b.c': 'y' }],
    ['nested texts', { a: { b: 'x' } }],
    ['a number', { a: 1 }],
    ['a list', { a: ['x'] }],
    ['nothing', undefined],
  ])('should agree with the API about translations with %s', async (_what, messages) => {
    const body = JSON.parse(JSON.stringify({ locale: 'de', messages })) as Json;
    expect(schemaOf('translation')(body)).toBe(await isAccepted('/v1/definitions/translations/de', body));
  });

  it.each(['feed', 'notification-group'])('should agree with the API about the name of a %s', async (kind) => {
    for (const body of [{ name: 'a' }, { name: '' }, { name: 1 }, {}, { name: 'a', identifier: 'a' }]) {
      expect(schemaOf(kind)(body)).toBe(await isAccepted(`/v1/definitions/${kind}s/a`, body));
    }
  });

  it('should agree with the API about overrides', async () => {
    await session.post('/v1/tenants', { identifier: 'b', name: 'B' }).expect(201);
    const bodies: Json[] = [
      {},
      { active: null },
      { active: 1 },
      { preferenceSettings: { sms: false } },
      { preferenceSettings: [] },
      { x: 1 },
    ];
    for (const more of bodies) {
      const body = { workflow: 'a', tenant: 'b', ...more };
      expect([more, schemaOf('workflow-override')(body)]).toEqual([
        more,
        await isAccepted('/v1/definitions/workflow-overrides/a/b', body),
      ]);
    }
  });
});
