import { deciderWord, kindWord, quorumWord, requestWord, statusWord, valueWord } from './question-words.js';

const request = {
  operation: 'triggerEvent',
  agent: 'Claude',
  apiKeyId: 'k',
  count: 1,
  workflow: 'parcel',
  result: 't',
} as const;

describe('words of questions', () => {
  it('say how a question stands', () => {
    expect(statusWord({ status: 'open' })).toEqual({ tone: 'busy', label: 'Open' });
    expect(statusWord({ status: 'undecided' })).toEqual({ tone: 'warn', label: 'Undecided' });
  });

  it('show an answer as people see it, also one that is no option', () => {
    const options = [{ id: 'approve', label: 'Approve' }];
    expect([valueWord({ options }, 'approve'), valueWord({ options }, 7)]).toEqual(['Approve', '7']);
  });

  it('name who decided', () => {
    expect(deciderWord({ by: { type: 'subscriber', subscriberId: 'ada' } })).toBe('ada');
    expect(deciderWord({ by: { type: 'subscriber' } })).toBe('Somebody who was deleted');
    expect(deciderWord({ by: { type: 'user', name: 'Ada' } })).toBe('Ada, in the console');
    expect(deciderWord({ by: { type: 'default' } })).toBe('Nobody answered in time');
    expect(deciderWord({})).toBeUndefined();
  });

  it('say what is asked, and how many have to agree', () => {
    expect(kindWord({ kind: 'number' })).toBe('A number');
    expect(kindWord({ kind: 'approve', request })).toBe('Request of the agent Claude');
    expect(quorumWord({ quorum: 'all', veto: true })).toBe('Everybody; one refusal decides');
    expect(quorumWord({ quorum: 3, veto: false })).toBe('3 alike');
  });

  it('say what an agent wants to do', () => {
    expect(requestWord(request)).toBe('Trigger parcel for 1 subscriber');
    expect(requestWord({ ...request, operation: 'createQuestion', count: 1_200 })).toBe('Ask 1,200 subscribers');
  });
});
