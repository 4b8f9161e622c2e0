import { figuresCsv, figureWords, type StepFigures } from './figure-words.js';

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
