import '../../../test/support/declared-steps.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { STEP_TYPES } from '#libs/plugins';
import { z } from 'zod';
import { showStepType } from './step-type.response.js';

type Json = Record<string, unknown>;

interface Field extends Json {
  readonly title: string;
  readonly description: string;
  readonly enum?: readonly string[];
  readonly 'x-labels'?: Json;
  readonly 'x-control'?: string;
  readonly 'x-when'?: Json;
  readonly 'x-unless'?: Json;
  readonly 'x-initial'?: unknown;
  readonly 'x-cases'?: readonly { readonly 'x-when': Json; readonly enum?: readonly string[] }[];
}

interface StepType {
  readonly type: string;
  readonly label: string;
  readonly group: string;
  readonly description: string;
  readonly canHaveVariants: boolean;
  readonly template: { readonly properties: Readonly<Record<string, Field>>; readonly required?: readonly string[] };
  readonly metadata: { readonly properties: Readonly<Record<string, Field>>; readonly required?: readonly string[] };
  readonly summary: readonly { readonly text: string; readonly when?: Json }[];
}

const CONTROLS =
  'duration timed cron schedule code html email conditions path url json step feed layout workflow'.split(' ');

const types = (): StepType[] => STEP_TYPES.declarations.map(showStepType) as unknown as StepType[];
const fieldsOf = ({ template, metadata }: StepType): [string, Field][] => [
  ...Object.entries(template.properties),
  ...Object.entries(metadata.properties),
];

describe('showStepType', () => {
  it('should be a form that people can read: words for each field and each value', () => {
    for (const one of types()) {
      expect(one).toMatchObject({ label: expect.stringMatching(/^[A-Z]/), description: expect.stringMatching(/\.$/) });
      const names = new Set(fieldsOf(one).map(([name]) => name));
      for (const [name, field] of fieldsOf(one)) {
        const at = `${one.type} ${name}`;
        expect([at, field.title, field.description]).toEqual([
          at,
          expect.stringMatching(/^[A-Z]/),
          expect.stringMatching(/^[A-Z].*\.$/),
        ]);
        if (field.enum) expect([at, Object.keys(field['x-labels'] ?? {})]).toEqual([at, field.enum]);
        if (field['x-control']) expect(CONTROLS).toContain(field['x-control']);
        for (const hints of [field, ...(field['x-cases'] ?? [])])
          for (const other of Object.keys({ ...field['x-unless'], ...hints['x-when'] })) expect(names).toContain(other);
      }
    }
  });

  it('should be JSON Schema, and have fields for every placeholder of a summary', () => {
    const ajv = new Ajv2020({ strict: false });
    for (const one of types()) {
      expect([ajv.validateSchema(one.template), ajv.validateSchema(one.metadata)]).toEqual([true, true]);
      const paths = one.summary.flatMap(({ text, when }) => [
        ...[...text.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? ''),
        ...Object.keys(when ?? {}),
      ]);
      for (const [part = '', name = ''] of paths.map((path) => path.split('.'))) {
        expect([
          one.type,
          part,
          name,
          Object.keys((one as unknown as Record<string, Json>)[part]?.['properties'] as Json),
        ]).toEqual([one.type, part, name, expect.arrayContaining([name])]);
      }
      // What is always known.
      expect(one.summary.at(-1)?.text).not.toContain('{');
    }
  });

  it('should show when a field is asked for', () => {
    const delay = types().find(({ type }) => type === 'delay');
    expect(delay).toMatchObject({
      group: 'control',
      template: { properties: {} },
      metadata: {
        required: ['type'],
        properties: {
          type: { enum: ['regular', 'scheduled'] },
          amount: { type: 'number', 'x-control': 'duration', 'x-when': { type: 'regular' }, 'x-initial': 1 },
          delayPath: { type: 'string', 'x-control': 'path', 'x-when': { type: 'scheduled' } },
        },
      },
    });
  });

  it('should say what counts, what to begin with, and what differs', () => {
    const metadataOf = (type: string) => types().find((one) => one.type === type)?.metadata.properties;
    expect(metadataOf('throttle')).toMatchObject({ type: { default: 'fixed' }, threshold: { default: 1 } });
    expect(metadataOf('digest')).toMatchObject({
      amount: { title: 'For', 'x-initial': 5, 'x-cases': [{ 'x-when': { type: 'timed' }, title: 'Every' }] },
      unit: { 'x-cases': [{ enum: ['minutes', 'hours', 'days', 'weeks', 'months'], 'x-initial': 'days' }] },
      extendToSchedule: { default: false },
    });
    expect(metadataOf('wait_for_event')).toMatchObject({
      event: { 'x-labels': { 'message.read': 'A message is read' }, 'x-other': { title: 'Name of the signal' } },
      match: { type: 'array', maxItems: 5, 'x-unless': { event: expect.arrayContaining(['message.read']) } },
      onMatch: { default: 'continue', 'x-initial': 'stop' },
    });
  });

  it('should begin with steps that can be saved', () => {
    for (const type of ['delay', 'digest', 'throttle', 'wait_for_event']) {
      const declaration = STEP_TYPES.get(type);
      const fields = Object.entries(types().find((one) => one.type === type)?.metadata.properties ?? {});
      const initial = Object.fromEntries(fields.map(([name, field]) => [name, field['x-initial']]));
      expect([type, declaration?.metadata?.check?.safeParse(initial).success]).toEqual([type, true]);
    }
  });

  it('should show the type of a plugin in the same form, with words made of its names', () => {
    const input = z.object({ dueAt: z.string(), priority: z.number().meta({ title: 'How urgent' }) });
    expect(showStepType({ type: 'create-ticket', input })).toMatchObject({
      type: 'create-ticket',
      label: 'Create ticket',
      group: 'plugin',
      canHaveVariants: true,
      template: {
        required: ['input'],
        properties: { input: { properties: { dueAt: { title: 'Due at' }, priority: { title: 'How urgent' } } } },
      },
      metadata: { properties: {} },
      summary: [{ text: expect.any(String) }],
    });
  });
});
