import { actionWords, addressOf, askedIn, type Entry, outcomeWord, programOf, textOf, wayWord } from './audit-words.js';

const actor: Entry['actor'] = { type: 'user', id: '1' };

describe('words of the audit log', () => {
  it.each([
    ['updateWorkflow', 'Updated workflow'],
    ['deleteLayout', 'Deleted layout'],
    ['defineWorkflowOverride', 'Defined workflow override'],
    ['setPrimaryIntegration', 'Set primary integration'],
    ['issueApiKey', 'Issued API key'],
    ['resetUserTotp', 'Reset user codes'],
    ['restoreStore', 'Restored store'],
    ['copyStore', 'Copied store'],
    ['signIn', 'Signed in'],
    ['getWorkflow', 'Read workflow'],
    ['explainDelivery', 'Explained delivery'],
    ['dryRunEvent', 'Tried an event'],
    ['signInWithProvider', 'Signed in with single sign-on'],
  ])('should say what %s did', (action, words) => {
    expect(actionWords(action)).toBe(words);
  });

  it('should say by which way', () => {
    expect(wayWord({ via: 'console', actor: { ...actor, email: 'ada@example.com' } })).toBe('ada@example.com');
    expect(wayWord({ via: 'files', actor: { ...actor, type: 'api_key' } })).toBe('API key, by files');
    expect(wayWord({ via: 'mcp', actor: { ...actor, type: 'agent' } })).toBe('Agent');
    const subscriber = { ...actor, type: 'subscriber' } as const;
    expect(wayWord({ via: 'chat', actor: subscriber })).toBe('Subscriber, by a button in a chat');
    expect(wayWord({ via: 'inbox', actor: subscriber })).toBe('Subscriber, in the inbox');
    expect(wayWord({ via: 'command', actor: { type: 'command_line', id: 'command line' } })).toBe(
      'in the store itself',
    );
  });

  it('should say how it ended, if not well', () => {
    expect(outcomeWord({ outcome: 'done' })).toBeUndefined();
    expect(outcomeWord({})?.tone).toBe('warn');
    expect(outcomeWord({ outcome: 'refused', errorCode: 'sign_in_failed' })?.label).toBe('Refused: sign_in_failed');
  });

  it('should lead to what there still is', () => {
    const resource = { type: 'workflow', id: '1' };
    expect(addressOf({ action: 'updateWorkflow', resource })).toBe('/workflows/1');
    expect(addressOf({ action: 'deleteWorkflow', resource })).toBeUndefined();
    expect(addressOf({ action: 'updateSubscriber', resource: { type: 'subscriber', id: '1', name: 'a/b' } })).toBe(
      '/subscribers/a%2Fb',
    );
    expect(addressOf({ action: 'updateSubscriber', resource: { type: 'subscriber', id: '1' } })).toBeUndefined();
    expect(addressOf({ action: 'signIn', resource: { type: 'user', id: '1' } })).toBe('/people');
  });

  it('should name programs in short', () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
    expect([chrome, `${chrome} Edg/140.0`, 'curl/8.5.0', 'herald keys', ''].map(programOf)).toEqual([
      'Chrome 140',
      'Edge 140',
      'curl/8.5.0',
      'herald keys',
      '',
    ]);
  });

  it('should read the filters of an address', () => {
    expect(askedIn(new URLSearchParams('resourceType=workflow&from=&x=1'))).toEqual({ resourceType: 'workflow' });
  });

  it('should show values as text', () => {
    expect([textOf(undefined), textOf('a'), textOf(false), textOf(null)]).toEqual(['', 'a', 'false', 'null']);
  });
});
