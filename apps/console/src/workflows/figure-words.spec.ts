import {
  cardFigures,
  comparedCsv,
  comparedSteps,
  figuresCsv,
  figureWords,
  pointsOf,
  type StepFigures,
} from './figure-words.js';

const NOTHING = { completed: 0, skipped: 0, failed: 0, canceled: 0, waiting: 0 };
const NO_MESSAGES = { messages: 0, delivered: 0, seen: 0, read: 0, clicked: 0 };

function step(fields: Partial<StepFigures>): StepFigures {
  return { _id: '1', uuid: 'u', type: 'email', ...NOTHING, ...NO_MESSAGES, ...fields };
}

describe('figureWords', () => {
  it('should tell of a channel what became of its messages, and leave out what did not happen', () => {
    const sent = step({ completed: 1_998, messages: 2_000, delivered: 1_900, seen: 500, failed: 2 });
    expect(figureWords(sent)).toEqual([
      { name: 'Sent', value: '2,000' },
      { name: 'Delivered', value: '1,900', share: '95 %' },
      { name: 'Seen', value: '500', share: '25 %' },
      { name: 'Failed', value: '2' },
    ]);
  });

  it('should tell of other steps how often they were done', () => {
    expect(figureWords(step({ type: 'delay', completed: 3, waiting: 4 }))).toEqual([
      { name: 'Done', value: '3' },
      { name: 'Waiting', value: '4' },
    ]);
    expect(figureWords(step({}))).toEqual([]);
  });
});

describe('figuresCsv', () => {
  it('should have a line for each step and each arm, with names as texts', () => {
    const arm = { ...NO_MESSAGES, name: '=A1, "B"', runs: 7, messages: 5 };
    const csv = figuresCsv([step({ type: 'split', completed: 7, arms: [arm] }), step({ name: 'Mail', messages: 5 })]);
    expect(csv.split('\r\n')).toEqual([
      'step,type,arm,notifications,completed,skipped,failed,canceled,waiting,messages,delivered,seen,read,clicked',
      'Step 1,split,,,7,0,0,0,0,0,0,0,0,0',
      'Step 1,split,"\'=A1, ""B""",7,,,,,,5,0,0,0,0',
      'Mail,email,,,0,0,0,0,0,5,0,0,0,0',
    ]);
  });
});

describe('cardFigures', () => {
  it('should have room for four, of which one tells of failures', () => {
    const all = step({ messages: 9, delivered: 8, seen: 7, clicked: 6, failed: 5, skipped: 4 });
    expect(cardFigures(all).map(({ name }) => name)).toEqual(['Sent', 'Delivered', 'Seen', 'Failed']);
    expect(cardFigures(step({ messages: 9, seen: 7, skipped: 4 }))).toHaveLength(3);
  });
});

describe('two versions', () => {
  const first = [
    step({ uuid: 'a', name: 'Mail', messages: 200, seen: 100 }),
    step({ uuid: 'gone', type: 'sms', messages: 3 }),
  ];
  const second = [step({ uuid: 'new', type: 'push' }), step({ uuid: 'a', name: 'Letter', messages: 100, seen: 60 })];
  const steps = comparedSteps(first, second);

  it('should put the figures of each step side by side, whichever has it', () => {
    expect(steps.map(({ name, figures }) => [name, ...figures.map((one) => one?.messages)])).toEqual([
      ['Push', undefined, 0],
      ['Letter', 200, 100],
      ['SMS', 3, undefined],
    ]);
  });

  it('should tell a difference of shares in points, where both have sent something', () => {
    const points = (at: number): string | undefined => pointsOf(steps[at]?.figures ?? [undefined, undefined], 'seen');
    expect([points(0), points(1), points(2)]).toEqual([undefined, '+10', undefined]);
  });

  it('should have a line of CSV for each step, with both versions', () => {
    const [heads = '', ...lines] = comparedCsv(steps, [3, 5]).split('\r\n');
    expect(heads).toMatch(/^step,type,completed v3,completed v5,/);
    expect(heads).toMatch(/clicked v3,clicked v5$/);
    expect(lines[1]).toBe('Letter,email,0,0,0,0,0,0,0,0,0,0,200,100,0,0,100,60,0,0,0,0');
    expect(lines[2]).toMatch(/^SMS,sms,0,,0,/);
  });
});
