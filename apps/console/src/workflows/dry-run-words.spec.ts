import {
  budgetWords,
  type DryStep,
  dryExplanation,
  dryStepWord,
  preferenceWords,
  recipientWord,
} from './dry-run-words.js';
import { recipientsOf } from './recipients.js';

const STEP: DryStep = {
  _id: 's',
  uuid: 'u',
  type: 'email',
  status: 'completed',
  variants: [],
  integrations: [],
  messages: [],
  details: [],
};
const MESSAGE: DryStep['messages'][number] = { channel: 'email', content: '' };

describe('words of a dry run', () => {
  it('say what would become of a step', () => {
    expect(dryStepWord({ ...STEP, messages: [MESSAGE] })).toEqual({ tone: 'good', label: 'Would be sent' });
    expect(dryStepWord({ ...STEP, messages: [MESSAGE, MESSAGE] }).label).toBe('2 messages would be sent');
    expect(dryStepWord({ ...STEP, type: 'delay' }).label).toBe('Would wait');
    expect(dryStepWord({ ...STEP, status: 'failed' })).toEqual({ tone: 'bad', label: 'Would fail' });
  });

  it('say what budgets would decide', () => {
    expect(budgetWords({ decision: 'critical', budgets: [] })).toBe('critical, counted apart');
    const budgets = [{ name: 'few', count: 5, max: 5, opensAt: '2026-02-01T13:00:00.000Z' }];
    expect(budgetWords({ decision: 'dropped', budgets })).toBe('few: 5 of 5');
  });

  it('say what would become of a recipient', () => {
    const sent = { ...STEP, messages: [MESSAGE] };
    expect(recipientWord({ status: 'completed', steps: [] }).label).toBe('Would get nothing');
    expect(recipientWord({ status: 'completed', steps: [sent] }).label).toBe('Would get 1 message');
    expect(recipientWord({ status: 'failed', steps: [sent] })).toEqual({
      tone: 'bad',
      label: 'Would get 1 message, then fail',
    });
  });

  it('name whose preference decides', () => {
    expect(preferenceWords({ allowed: true })).toBe('allow this channel');
    expect(preferenceWords({ allowed: false, source: 'subscriberGlobal' })).toContain('for all workflows');
  });

  it('do not speak of a replay', () => {
    const explanation = {
      title: 'No integration to send with',
      text: 'none',
      remedy: 'Create or activate an integration for this channel, then replay the notification.',
    };
    expect(dryExplanation({ explanation })).toEqual({
      ...explanation,
      remedy: 'Create or activate an integration for this channel, then try again.',
    });
    expect(dryExplanation(STEP)).toBeUndefined();
  });
});

describe('recipientsOf', () => {
  it('reads a recipient from each line, once', () => {
    expect(recipientsOf(' ada \n\nbob\nada', 'news\n')).toEqual(['ada', 'bob', { type: 'Topic', topicKey: 'news' }]);
    expect(recipientsOf(' ', '')).toEqual([]);
  });
});
