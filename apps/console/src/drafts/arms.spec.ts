import { withChanged } from './arms.js';
import type { DraftStep } from './draft.js';

const step = (uuid: string, type: string, more: Partial<DraftStep> = {}): DraftStep => ({
  ...{ uuid, name: uuid, active: true, shouldStopOnFail: false, template: { type }, filters: [], metadata: {} },
  ...{ replyCallback: {}, variants: [] },
  ...more,
});
const arms = (...names: string[]): DraftStep['metadata'] => ({ arms: names.map((name) => ({ name, share: 50 })) });
const shown = (steps: readonly DraftStep[]): string[] =>
  steps.map(({ uuid, branch }) => (branch ? `${uuid} in ${branch.arm}` : uuid));
const plans = (...names: string[]): DraftStep =>
  step('plan', 'branch', { variants: names.map((name, at) => step(`v${at}`, 'branch', { name })) });

const STEPS = [
  step('first', 'sms'),
  step('test', 'split', { stepId: 'ab', metadata: { ...arms('A', 'B'), winner: 'A' } }),
  step('a', 'sms', { branch: { step: 'ab', arm: 'A' } }),
  { ...plans('free', 'paid'), branch: { step: 'test', arm: 'B' } },
  step('b', 'email', { branch: { step: 'plan', arm: 'paid' } }),
  step('c', 'email', { branch: { step: 'plan', arm: 'else' } }),
];
const split = (...names: string[]): DraftStep =>
  step('test', 'split', { stepId: 'ab', metadata: { ...arms(...names), winner: 'A' } });
const branch = (...names: string[]): DraftStep => ({ ...plans(...names), branch: { step: 'test', arm: 'B' } });

describe('arms that change', () => {
  it('should take along the steps in them when they get another name, and say so where one has won', () => {
    const { steps, leaving } = withChanged(STEPS, 1, split('Short', 'B'));
    expect(shown(steps)).toEqual(['first', 'test', 'a in Short', 'plan in B', 'b in paid', 'c in else']);
    expect([steps[1]?.metadata.winner, leaving]).toEqual(['Short', []]);
    const renamed = withChanged(STEPS, 3, branch('free', 'customers'));
    expect(shown(renamed.steps)).toEqual(['first', 'test', 'a in A', 'plan in B', 'b in customers', 'c in else']);
  });

  it('should keep the steps of two arms apart that have one name while it is typed', () => {
    let steps: readonly DraftStep[] = STEPS;
    for (const name of ['', 'B', 'B2']) steps = withChanged(steps, 1, split(name, 'B')).steps;
    expect(shown(steps)).toEqual(['first', 'test', 'a in B2', 'plan in B', 'b in paid', 'c in else']);
  });

  it('should leave the steps of arms where they are that come in another order', () => {
    const turned = { ...branch('free', 'paid'), variants: [...branch('free', 'paid').variants].reverse() };
    expect(shown(withChanged(STEPS, 3, turned).steps)).toEqual(shown(STEPS));
    expect(shown(withChanged(STEPS, 1, split('B', 'A')).steps)).toEqual(shown(STEPS));
    expect(shown(withChanged(STEPS, 1, split('A', 'B', 'C')).steps)).toEqual(shown(STEPS));
  });

  it('should remove what stands in an arm that is gone, with the arms in it', () => {
    const { steps, gone, leaving } = withChanged(STEPS, 1, split('A'));
    expect([shown(steps), gone]).toEqual([['first', 'test', 'a in A'], ['B']]);
    expect(leaving.map(({ uuid }) => uuid)).toEqual(['plan', 'b', 'c']);
    const other = withChanged(STEPS, 1, split('B'));
    expect([shown(other.steps), other.steps[1]?.metadata.winner]).toEqual([
      ['first', 'test', 'plan in B', 'b in paid', 'c in else'],
      undefined,
    ]);
    expect(shown(withChanged(STEPS, 3, branch('free')).steps)).toEqual([
      ...['first', 'test', 'a in A', 'plan in B', 'c in else'],
    ]);
  });

  it('should change no other step where a step has no arms', () => {
    const { steps, leaving } = withChanged(STEPS, 0, step('first', 'sms', { name: 'Renamed' }));
    expect([steps.slice(1), leaving]).toEqual([STEPS.slice(1), []]);
  });
});
