import type { Schemas } from '../api/client.js';
import {
  copiedHere,
  copiedSteps,
  type Draft,
  draftOf,
  type DraftStep,
  isSame,
  moved,
  readersOf,
  sentDraft,
} from './draft.js';
import { hasField } from '../editor/step-kinds.js';

const shownTemplate = (type: string, more: object): object => ({
  _id: 'a'.repeat(24),
  id: 'a'.repeat(24),
  type,
  active: true,
  variables: [],
  _feedId: null,
  _layoutId: null,
  _environmentId: 'e',
  _organizationId: 'o',
  _creatorId: 'c',
  deleted: false,
  createdAt: '',
  updatedAt: '',
  __v: 3,
  ...more,
});

const shownStep = (uuid: string, type: string, template: object = {}, more: object = {}): object => ({
  _id: uuid.padEnd(24, '0'),
  uuid,
  active: true,
  shouldStopOnFail: false,
  filters: [],
  metadata: { timed: { weekDays: [], monthDays: [] } },
  replyCallback: {},
  variants: [],
  template: shownTemplate(type, template),
  ...more,
});

const shown = (steps: object[]): Schemas['WorkflowResponse'] =>
  ({
    name: 'Order shipped',
    tags: ['orders'],
    critical: false,
    preferenceSettings: { email: true, sms: true, in_app: true, chat: true, push: true },
    triggers: [{ identifier: 'order-shipped' }],
    _notificationGroupId: 'g',
    steps,
  }) as object as Schemas['WorkflowResponse'];

describe('draftOf and sentDraft', () => {
  it('should send back what was read, with references by the names of requests', () => {
    const mail = { subject: 'S', content: '<p></p>', contentType: 'customHtml', _layoutId: 'l1' };
    const { steps } = sentDraft(draftOf(shown([shownStep('u1', 'email', mail, { name: 'Mail' })])));
    expect(steps).toEqual([
      expect.objectContaining({
        _id: 'u1'.padEnd(24, '0'),
        uuid: 'u1',
        name: 'Mail',
        metadata: {},
        template: {
          type: 'email',
          subject: 'S',
          content: '<p></p>',
          contentType: 'customHtml',
          layoutId: 'l1',
          title: null,
          preheader: null,
          senderName: null,
          images: null,
          cta: null,
          actor: null,
          variables: null,
        },
      }),
    ]);
  });

  it('should keep steps of types and members that it does not know', () => {
    const metadata = { amount: 3, unit: 'hours', limit: 5 };
    const read = draftOf(shown([shownStep('u1', 'http', { input: { a: 1 } }, { metadata })]));
    expect(sentDraft(read).steps?.[0]).toMatchObject({
      metadata: { amount: 3, unit: 'hours', limit: 5 },
      template: { type: 'http', input: { a: 1 } },
    });
  });

  it('should send null for texts that were emptied', () => {
    const draft = draftOf(shown([shownStep('u1', 'push', { title: 'T', content: 'C' })]));
    const [step] = draft.steps as [DraftStep];
    const emptied: Draft = {
      ...draft,
      description: '',
      steps: [{ ...step, template: { ...step.template, title: '' } }],
    };
    expect(sentDraft(emptied)).toMatchObject({
      description: null,
      steps: [{ template: { title: null, content: 'C' } }],
    });
    expect(isSame(draft, emptied)).toBe(false);
    expect(isSame(draft, structuredClone(draft))).toBe(true);
  });

  it('should leave out groups that have no condition yet', () => {
    const draft = draftOf(shown([shownStep('u1', 'sms', {}, { filters: [{ children: [] }] })]));
    expect(sentDraft(draft).steps?.[0]?.filters).toEqual([]);
  });
});

describe('copies, moves and references of steps', () => {
  const reads = [{ value: 'AND', children: [{ on: 'previousStep', step: 'u1', stepType: 'read' }] }];
  const { steps } = draftOf(shown([shownStep('u1', 'in_app'), shownStep('u2', 'email', {}, { filters: reads })]));

  it('should give copies new names, which their conditions follow', () => {
    let count = 0;
    const copies = copiedSteps(steps, () => `new-${++count}`);
    expect(copies.map(({ uuid, _id }) => [uuid, _id])).toEqual([
      ['new-1', undefined],
      ['new-2', undefined],
    ]);
    expect(copies[1]?.filters[0]?.children[0]?.step).toBe('new-1');
  });

  it('should give copies whatever their steps name, by stepId or uuid', () => {
    const branched = draftOf(
      shown([
        shownStep('u1', 'branch', {}, { stepId: 'plan' }),
        shownStep('u2', 'email', {}, { stepId: 'mail', branch: { step: 'plan', arm: 'else' } }),
        shownStep('u3', 'wait_for_event', {}, { metadata: { step: 'mail' }, branch: { step: 'u1', arm: 'else' } }),
      ]),
    ).steps;
    let count = 0;
    const named = (copies: readonly DraftStep[]): unknown[] =>
      copies.map(({ uuid, stepId, branch, metadata }) => [uuid, stepId, branch?.step, metadata.step]);
    expect(named(copiedSteps(branched, () => `new-${++count}`))).toEqual([
      ['new-1', 'plan', undefined, undefined],
      ['new-2', 'mail', 'new-1', undefined],
      ['new-3', undefined, 'new-1', 'new-2'],
    ]);
    const here = copiedHere(branched.slice(1), () => `here-${++count}`);
    expect(here.map(({ stepId, branch }) => [stepId, branch?.step])).toEqual([
      [undefined, 'plan'],
      [undefined, 'u1'],
    ]);
  });

  it('should move within the list only', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moved(['a', 'b'], 0, 2)).toEqual(['a', 'b']);
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  });

  it('should find the steps that read another one', () => {
    expect(readersOf(steps, steps.slice(0, 1)).map(({ uuid }) => uuid)).toEqual(['u2']);
    expect([readersOf(steps, steps.slice(1)), readersOf(steps, steps)]).toEqual([[], []]);
  });
});

describe('hasField', () => {
  it('should leave what has no field of its own to the JSON of the step', () => {
    expect(['subject', 'content', 'layoutId', 'title', 'actor'].map((name) => hasField('email', name, []))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(hasField('create-ticket', 'input', [])).toBe(false);
    expect(hasField('create-ticket', 'input', ['input'])).toBe(true);
  });
});
