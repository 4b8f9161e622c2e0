import type { Step } from './workflow-words.js';
import { depthOf, inputOf } from './workflow-words.js';

const template = (fields: object): Step['template'] => fields as Step['template'];

describe('inputOf', () => {
  it('should show the fields of the input of a plugin step, and nothing of other steps', () => {
    const input = { title: 'Order {{order}}', times: 2, tags: ['a'] };
    expect(inputOf(template({ type: 'create-ticket', input }))).toEqual([
      ['title', 'Order {{order}}'],
      ['times', '2'],
      ['tags', '["a"]'],
    ]);
    expect(inputOf(template({ type: 'sms', content: 'x' }))).toEqual([]);
  });
});

describe('depthOf', () => {
  const steps = [
    { uuid: 'a', stepId: 'plan' },
    { uuid: 'b', stepId: 'test', branch: { step: 'plan', arm: 'free' } },
    { uuid: 'c', branch: { step: 'b', arm: 'B' } },
    { uuid: 'd', branch: { step: 'gone', arm: 'x' } },
    { uuid: 'e' },
  ];

  it('should count the branches around a step, however they are named', () => {
    expect(steps.map((step) => depthOf(step, steps))).toEqual([0, 1, 2, 0, 0]);
  });

  it('should end where branches name each other', () => {
    const circle = [
      { uuid: 'a', branch: { step: 'b', arm: 'x' } },
      { uuid: 'b', branch: { step: 'a', arm: 'x' } },
    ];
    expect(circle.map((step) => depthOf(step, circle))).toEqual([2, 1]);
  });
});
