import { learnLabels, typeLabel } from './labels.js';
import { summaryOf } from './summary.js';

const LINES = [
  { text: 'Waits until {metadata.delayPath}.', when: { 'metadata.type': 'scheduled' } },
  { text: 'Waits {metadata.amount} {metadata.unit}.' },
  { text: 'Starts it for {template.recipients}.' },
  { text: 'Waits.' },
];

describe('summaryOf', () => {
  it.each([
    [{ metadata: { type: 'scheduled', delayPath: 'order.at', amount: 1, unit: 'days' } }, 'Waits until order.at.'],
    [{ metadata: { type: 'regular', amount: 1500, unit: 'days' } }, 'Waits 1,500 days.'],
    [{ metadata: { amount: 3 }, template: { recipients: ['ada', 'bob'] } }, 'Starts it for ada, bob.'],
    [{ metadata: { amount: 3 }, template: { recipients: [] } }, 'Waits.'],
  ])('should take the first sentence of which all is known: %j', (step, text) => {
    expect(summaryOf(LINES, step)).toBe(text);
  });

  it('should say nothing where no sentence fits', () => {
    expect(summaryOf([{ text: '{metadata.a}' }], { metadata: {} })).toBeUndefined();
  });
});

describe('typeLabel', () => {
  it('should be what Herald says, or the type in words', () => {
    expect(typeLabel('create-ticket')).toBe('Create ticket');
    learnLabels([{ type: 'create-ticket', label: 'Open a ticket' }]);
    expect([typeLabel('create-ticket'), typeLabel('in_app')]).toEqual(['Open a ticket', 'In-app']);
  });
});
