import '../../../../test/support/declared-steps.js';
import { MAX_STEPS } from './step.schema.js';
import { validateSteps } from './validate-steps.js';

type Json = Record<string, unknown>;
const IN_APP = { type: 'in_app', content: 'x' };
const step = (rest: Json = {}): Json => ({ template: IN_APP, ...rest });
const condition = (rest: Json = {}): Json => ({ on: 'payload', field: 'a', operator: 'EQUAL', value: 1, ...rest });
const filters = (...children: Json[]): Json[] => [{ value: 'AND', children }];
const previous = (uuid: unknown): Json[] => filters({ on: 'previousStep', step: uuid, stepType: 'read' });

describe('validateSteps', () => {
  describe('when the steps are valid', () => {
    it.each([
      ['none', []],
      ['one', [step()]],
      [
        'all optional parts null',
        [
          step({
            uuid: null,
            name: null,
            active: null,
            filters: null,
            metadata: null,
            variants: null,
            replyCallback: null,
            stepId: null,
            shouldStopOnFail: null,
          }),
        ],
      ],
      ['the most', Array.from({ length: MAX_STEPS }, () => step())],
      ['a digest', [{ template: { type: 'digest' }, metadata: { type: 'regular', amount: 1, unit: 'weeks' } }]],
      ['a delay until a date', [{ template: { type: 'delay' }, metadata: { type: 'scheduled', delayPath: 'at' } }]],
      [
        'metadata of another kind of step',
        [step({ metadata: { type: 'regular', amount: 1, unit: 'seconds', timed: {} } })],
      ],
      ['a condition on an earlier step', [step({ uuid: 'u' }), step({ filters: previous('u') })]],
      ['a variant', [step({ variants: [step({ filters: filters(condition()) })] })]],
      ['a template with parts of its own', [step({ template: { ...IN_APP, own: { 'a.b': [null] } } })]],
    ])('should find no fault with %s', (_case, steps) => {
      expect(validateSteps(steps, 'steps')).toEqual([]);
    });
  });

  describe('when a step is not valid', () => {
    it.each<[string, unknown, string]>([
      ['null', null, 'steps.0'],
      ['an array', [], 'steps.0'],
      ['no template', {}, 'steps.0.template'],
      ['an unknown type', { template: { type: 'fax' } }, 'steps.0.template.type'],
      [
        'a template that cannot be read',
        { template: { type: 'sms', content: '{{#each}}' } },
        'steps.0.template.content',
      ],
      ['an operator in the template', step({ template: { ...IN_APP, own: { $set: 1 } } }), 'steps.0.template.own.$set'],
      ['a feed id that is none', step({ template: { ...IN_APP, feedId: 'x' } }), 'steps.0.template.feedId'],
      [
        'an action of a wrong kind',
        step({ template: { ...IN_APP, cta: { action: '' } } }),
        'steps.0.template.cta.action',
      ],
      ['a name that is no text', step({ name: 1 }), 'steps.0.name'],
      ['a long name', step({ name: 'x'.repeat(256) }), 'steps.0.name'],
      ['an empty uuid', step({ uuid: '' }), 'steps.0.uuid'],
      ['a stepId that is no text', step({ stepId: {} }), 'steps.0.stepId'],
      ['an active that is no boolean', step({ active: 'true' }), 'steps.0.active'],
      ['a shouldStopOnFail that is no boolean', step({ shouldStopOnFail: 1 }), 'steps.0.shouldStopOnFail'],
      ['filters that are no array', step({ filters: {} }), 'steps.0.filters'],
      [
        'an unknown operator',
        step({ filters: filters(condition({ operator: '$gt' })) }),
        'steps.0.filters.0.children.0.operator',
      ],
      [
        'a value that cannot be read',
        step({ filters: filters(condition({ value: '{{#if}}' })) }),
        'steps.0.filters.0.children.0.value',
      ],
      ['a condition on itself', step({ uuid: 'u', filters: previous('u') }), 'steps.0.filters.0.children.0.step'],
      ['a condition on no step', step({ filters: previous('none') }), 'steps.0.filters.0.children.0.step'],
      ['a digest without metadata', { template: { type: 'digest' } }, 'steps.0.metadata'],
      [
        'a delay without amount',
        { template: { type: 'delay' }, metadata: { type: 'regular', unit: 'days' } },
        'steps.0.metadata.amount',
      ],
      ['metadata that is no object', step({ metadata: 'x' }), 'steps.0.metadata'],
      ['an amount that is no number', step({ metadata: { amount: '5' } }), 'steps.0.metadata.amount'],
      ['an unknown unit', step({ metadata: { backoffUnit: 'years' } }), 'steps.0.metadata.backoffUnit'],
      ['an unknown kind of metadata', step({ metadata: { type: 'x' } }), 'steps.0.metadata.type'],
      ['a timed that is no object', step({ metadata: { timed: [] } }), 'steps.0.metadata.timed'],
      ['an updateMode that is no boolean', step({ metadata: { updateMode: 1 } }), 'steps.0.metadata.updateMode'],
      ['a digestKey that is no text', step({ metadata: { digestKey: {} } }), 'steps.0.metadata.digestKey'],
      ['a replyCallback that is no object', step({ replyCallback: [] }), 'steps.0.replyCallback'],
      ['a replyCallback with a wrong url', step({ replyCallback: { url: 1 } }), 'steps.0.replyCallback.url'],
      ['variants that are no array', step({ variants: {} }), 'steps.0.variants'],
      ['too many variants', step({ variants: Array.from({ length: 51 }, () => step()) }), 'steps.0.variants'],
      ['a variant that is no object', step({ variants: [5] }), 'steps.0.variants.0'],
      [
        'a variant without conditions',
        step({ variants: [step({ filters: [{ children: [] }] })] }),
        'steps.0.variants.0.filters',
      ],
      [
        'a variant of another type',
        step({ variants: [step({ template: { type: 'sms' }, filters: filters(condition()) })] }),
        'steps.0.variants.0.template.type',
      ],
    ])('should name the place of %s', (_case, sent, path) => {
      const faults = validateSteps([sent], 'steps');
      expect(faults).toHaveLength(1);
      expect(faults[0]?.split(' ')[0]).toBe(path);
    });
  });

  it('should refuse a uuid that an earlier step has', () => {
    expect(validateSteps([step({ uuid: 'u' }), step(), step({ uuid: 'u' })], 'steps')).toEqual([
      'steps.2.uuid must differ from that of steps.0',
    ]);
  });

  it('should refuse a condition on a later step', () => {
    const faults = validateSteps([step({ filters: previous('later') }), step({ uuid: 'later' })], 'steps');
    expect(faults).toEqual(['steps.0.filters.0.children.0.step must be the uuid of an earlier step']);
  });

  it('should list the faults of all steps at once, but no more than two hundred', () => {
    const faults = validateSteps([{}, step({ active: 1, name: 2 })], 'steps');
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['steps.0.template', 'steps.1.name', 'steps.1.active']);
    expect(
      validateSteps(
        Array.from({ length: 200 }, () => ({ name: 1 })),
        'steps',
      ),
    ).toHaveLength(200);
  });

  it.each([[undefined], [null], ['steps'], [{}], [5], [Array.from({ length: MAX_STEPS + 1 }, () => step())]])(
    'should refuse what is no list of steps (%#)',
    (steps) => {
      expect(validateSteps(steps, 'steps')).toEqual([expect.stringMatching(/^steps must/)]);
    },
  );
});
