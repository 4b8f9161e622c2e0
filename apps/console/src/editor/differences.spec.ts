import type { Schemas } from '../api/client.js';
import { differenceWords, linesOf } from './differences.js';

const definition = {
  steps: [
    {
      uuid: 'u1',
      name: 'Receipt',
      template: { type: 'email' },
      variants: [{ uuid: 'v1', name: 'Pro', template: { type: 'email' } }],
    },
    { uuid: 'u2', template: { type: 'sms' } },
  ],
} as object as Schemas['WorkflowDefinitionDto'];

describe('differenceWords', () => {
  it('should say in words what differs, and where', () => {
    const words = differenceWords(
      [
        { path: ['name'], kind: 'changed', before: 'Old', after: 'New' },
        { path: ['steps'], kind: 'moved', before: ['u1', 'u2'], after: ['u2', 'u1'] },
        { path: ['steps', 'u1', 'template', 'subject'], kind: 'changed', before: 'a', after: 'b' },
        { path: ['steps', 'u1', 'variants', 'v1', 'filters'], kind: 'added', after: [] },
        { path: ['steps', 'u2'], kind: 'removed', before: {} },
      ],
      [definition],
    );
    expect(words.map(({ title }) => title)).toEqual([
      'Name changed',
      'Steps: new order: step 2 (SMS), step 1 (Receipt)',
      'Step 1 (Receipt), subject changed',
      'Step 1 (Receipt), variant “Pro”, conditions added',
      'Step 2 (SMS) removed',
    ]);
    expect(words[2]?.lines).toEqual([
      { kind: 'removed', text: 'a' },
      { kind: 'added', text: 'b' },
    ]);
    expect(words[4]?.lines).toBeUndefined();
  });
});

describe('linesOf', () => {
  it('should mark the lines that only one text has', () => {
    expect(linesOf('a\nb\nc', 'a\nx\nc\nd')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'removed', text: 'b' },
      { kind: 'added', text: 'x' },
      { kind: 'same', text: 'c' },
      { kind: 'added', text: 'd' },
    ]);
  });

  it('should leave out long parts that are the same', () => {
    const many = Array.from({ length: 20 }, (_, at) => `line ${at}`);
    const shown = linesOf(many.join('\n'), many.with(10, 'other').join('\n'));
    expect(shown.map(({ text }) => text)).toEqual([
      '…',
      'line 8',
      'line 9',
      'line 10',
      'other',
      'line 11',
      'line 12',
      '…',
    ]);
  });

  it('should compare a text with none', () => {
    expect(linesOf('', 'a')).toEqual([{ kind: 'added', text: 'a' }]);
    expect(linesOf('a', '')).toEqual([{ kind: 'removed', text: 'a' }]);
  });
});
