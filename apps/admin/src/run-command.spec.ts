import { outputOf, percent } from './run-command.js';

const OUTCOME = { text: 'Backed up 3 records.', data: { records: 3, to: '\u001b[31mB\u009b' } };

describe('outputOf', () => {
  it('should be in words for people', () => {
    expect(outputOf(OUTCOME, ['--to', 'B'])).toBe('Backed up 3 records.');
  });

  it('should be JSON for programs, without characters that a terminal obeys', () => {
    const json = outputOf(OUTCOME, ['--to', 'B', '--json']);
    expect(JSON.parse(json)).toEqual(OUTCOME.data);
    expect(json).not.toMatch(/\p{Cc}/u);
  });
});

describe('percent', () => {
  it.each([
    [0, 200, '0 %'],
    [199, 200, '99 %'],
    [200, 200, '100 %'],
    [210, 200, '100 %'],
    [0, 0, '100 %'],
  ])('should say of %d of %d: %s', (part, whole, expected) => {
    expect(percent(part, whole)).toBe(expected);
  });
});
