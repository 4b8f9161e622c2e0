import '../../../../test/support/declared-steps.js';
import { Types } from 'mongoose';
import { buildSteps } from './build-steps.js';
import type { SentStep, Step } from './step.schema.js';

const FEED = '64f0c1a2b3c4d5e6f7a8b9c0';
const LAYOUT = '64f0c1a2b3c4d5e6f7a8b9c1';
const DEFAULT_LAYOUT = '64f0c1a2b3c4d5e6f7a8b9c2';

const build = (...sent: SentStep[]): Step[] => buildSteps(sent, { existing: [] });
const rebuild = (existing: Step[], ...sent: SentStep[]): Step[] => buildSteps(sent, { existing });
const first = (steps: Step[]): Step => {
  const [step] = steps;
  if (step === undefined) throw new Error('There is no step.');
  return step;
};

describe('buildSteps', () => {
  describe('when the workflow is new', () => {
    it('should fill in what was not given', () => {
      expect(first(build({ template: { type: 'sms', content: 'x' } }))).toEqual({
        _id: expect.any(Types.ObjectId) as unknown,
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        active: true,
        shouldStopOnFail: false,
        template: { type: 'sms', content: 'x' },
        filters: [],
        metadata: {},
        replyCallback: {},
        variants: [],
      });
    });

    it('should make ids of its own whatever ids are sent', () => {
      const step = first(build({ _id: FEED, _templateId: FEED, template: { type: 'sms' } }));
      expect(step._id.toHexString()).not.toBe(FEED);
    });

    it('should drop unknown keys of steps, filters and metadata, and keep those of templates', () => {
      const sent = {
        colour: 'red',
        template: { type: 'sms', own: { a: null }, nothing: null, subject: null, createdAt: 'x', _id: 'y' },
        filters: [{ isNegated: null, colour: 1, children: [{ on: 'payload', field: 'a', value: null, colour: 1 }] }],
        metadata: { amount: 5, unit: null, colour: 1, timed: { atTime: '10:00', colour: 1 } },
        replyCallback: { active: true, url: null, colour: 1 },
      } as unknown as SentStep;
      expect(first(build(sent))).toMatchObject({
        template: { type: 'sms', own: { a: null }, nothing: null },
        filters: [{ children: [{ on: 'payload', field: 'a', value: null }] }],
        metadata: { amount: 5, timed: { atTime: '10:00' } },
        replyCallback: { active: true },
      });
      const { template, filters, metadata, replyCallback } = first(build(sent));
      expect(Object.keys(template).sort()).toEqual(['nothing', 'own', 'type']);
      expect(Object.keys({ ...filters[0], ...metadata, ...replyCallback }).sort()).toEqual([
        'active',
        'amount',
        'children',
        'timed',
      ]);
    });

    it('should take feed and layout, and drop those that were read elsewhere', () => {
      const [a, b] = build(
        { template: { type: 'email', feedId: FEED, layoutId: LAYOUT } },
        { template: { type: 'email', _feedId: FEED, _layoutId: LAYOUT } },
      );
      expect([String(a?.template._feedId), String(a?.template._layoutId)]).toEqual([FEED, LAYOUT]);
      expect(a?.template).not.toHaveProperty('feedId');
      expect(b?.template).toEqual({ type: 'email' });
    });

    it('should give e-mails without a layout the default one, and drop feeds of blueprints', () => {
      const [email, sms] = buildSteps([{ template: { type: 'email', feedId: FEED } }, { template: { type: 'sms' } }], {
        existing: [],
        defaultLayoutId: DEFAULT_LAYOUT,
        dropFeeds: true,
      });
      expect(String(email?.template._layoutId)).toBe(DEFAULT_LAYOUT);
      expect(email?.template).not.toHaveProperty('_feedId');
      expect(sms?.template).toEqual({ type: 'sms' });
    });

    it('should drop a default of no characters', () => {
      const variables = [
        { name: 'a', type: 'String' as const, defaultValue: '' },
        { name: 'b', type: 'Boolean' as const, defaultValue: false },
      ];
      expect(first(build({ template: { type: 'sms', variables } })).template.variables).toEqual([
        { name: 'a', type: 'String' },
        { name: 'b', type: 'Boolean', defaultValue: false },
      ]);
    });
  });

  describe('when a step names one that is there', () => {
    const variant: SentStep = { uuid: 'v', template: { type: 'email', content: 'variant' } };
    const existing = build(
      {
        uuid: 'a',
        template: { type: 'email', content: 'old', subject: 's', cta: {}, feedId: FEED, layoutId: LAYOUT, own: 1 },
        variants: [variant],
      },
      { uuid: 'b', template: { type: 'sms', content: 'b' } },
    );
    const [a, b] = existing as [Step, Step];
    const id = a._id.toHexString();

    it.each<[string, Partial<SentStep>]>([
      ['_id', { _id: id }],
      ['_templateId', { _templateId: id }],
      ['uuid', { uuid: 'a' }],
    ])('should keep its id and uuid, named by %s', (_case, name) => {
      const step = first(rebuild(existing, { ...name, template: { type: 'email' } }));
      expect([step._id, step.uuid]).toEqual([a._id, 'a']);
    });

    it('should keep the texts that are not sent, and only those', () => {
      const { template } = first(rebuild(existing, { _id: id, template: { type: 'email', content: '' } }));
      expect(template).toEqual({ type: 'email', content: '', subject: 's', _layoutId: new Types.ObjectId(LAYOUT) });
    });

    it('should keep the feed of a step that is sent as it was read, whatever id it shows', () => {
      const sent = { _id: id, template: { type: 'email' as const, _feedId: LAYOUT, _layoutId: FEED } };
      const { template } = first(rebuild(existing, sent));
      expect([String(template._feedId), String(template._layoutId)]).toEqual([FEED, LAYOUT]);
    });

    it('should remove with null', () => {
      const sent = { _id: id, template: { type: 'email' as const, subject: null, layoutId: null } };
      expect(first(rebuild(existing, sent)).template).toEqual({ type: 'email', content: 'old' });
    });

    it('should keep nothing of a template of another type', () => {
      const step = first(rebuild(existing, { _id: id, template: { type: 'sms' } }));
      expect(step._id).toEqual(a._id);
      expect(step.template).toEqual({ type: 'sms' });
    });

    it('should not keep content for another editor', () => {
      const { template } = first(rebuild(existing, { _id: id, template: { type: 'email', contentType: 'editor' } }));
      expect(template).not.toHaveProperty('content');
    });

    it('should keep the ids of variants that are named', () => {
      const sent = {
        _id: id,
        template: { type: 'email' as const },
        variants: [{ ...variant, name: 'new' }, { template: variant.template }],
      };
      const [kept, made] = first(rebuild(existing, sent)).variants;
      expect(kept).toMatchObject({ _id: a.variants[0]?._id, name: 'new' });
      expect(made?._id).not.toEqual(a.variants[0]?._id);
    });

    it('should give the id to the first only when two name the same', () => {
      const template = { type: 'sms' as const };
      const steps = rebuild(
        existing,
        { _id: b._id.toHexString(), template },
        { _templateId: b._id.toHexString(), template },
      );
      expect(steps[0]?._id).toEqual(b._id);
      expect(steps[1]?._id).not.toEqual(b._id);
      expect(new Set(steps.map(({ uuid }) => uuid)).size).toBe(2);
    });
  });
});
