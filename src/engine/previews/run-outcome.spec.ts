import { differencesOf, type RunOutcome } from './run-outcome.js';

const HOUR_MS = 3_600_000;

function outcome(more: Partial<RunOutcome> = {}): RunOutcome {
  return { messages: [{ channel: 'in_app', at: 0 }], texts: 'a', unsent: [], joinsDigest: false, missing: [], ...more };
}

const unsent = (uuid: string, reason: string): RunOutcome['unsent'] => [{ uuid, type: 'email', reason }];

describe('differencesOf', () => {
  it.each<[string, Partial<RunOutcome>, string[]]>([
    ['nothing', {}, []],
    ['another channel', { messages: [{ channel: 'email', at: 0 }] }, ['result']],
    [
      'a second message',
      {
        messages: [
          { channel: 'in_app', at: 0 },
          { channel: 'in_app', at: 0 },
        ],
      },
      ['result'],
    ],
    ['no message', { messages: [] }, ['result']],
    ['a digest', { joinsDigest: true }, ['result']],
    ['a refused event', { messages: [], missing: ['plan (Value)'] }, ['result']],
    ['other words', { texts: 'b' }, ['texts']],
    ['a later time', { messages: [{ channel: 'in_app', at: HOUR_MS }] }, ['times']],
    ['the time between two rehearsals', { messages: [{ channel: 'in_app', at: 900 }] }, []],
    ['words and time', { texts: 'b', messages: [{ channel: 'in_app', at: HOUR_MS }] }, ['texts', 'times']],
    ['a step that is new and sends nothing', { unsent: unsent('new', 'conditions') }, []],
  ])('should tell %s', (_what, more, differences) => {
    expect(differencesOf(outcome(), outcome(more))).toEqual(differences);
  });

  it('should tell another reason of a step that both have', () => {
    const before = outcome({ unsent: unsent('mail', 'no_address') });
    expect(differencesOf(before, outcome({ unsent: unsent('mail', 'conditions') }))).toEqual(['reasons']);
    expect(differencesOf(before, outcome({ unsent: unsent('mail', 'no_address') }))).toEqual([]);
  });

  it('should not mind the order of channels', () => {
    const both = (one: 'email' | 'sms', other: 'email' | 'sms'): RunOutcome =>
      outcome({
        messages: [
          { channel: one, at: 0 },
          { channel: other, at: 0 },
        ],
      });
    expect(differencesOf(both('email', 'sms'), both('sms', 'email'))).toEqual([]);
  });
});
