import { askedIn, kindWord, reasonWords, type Suppression, toCsv } from './suppression-words.js';

const bounce: Suppression = {
  id: 'address-64f0c1a2b3c4d5e6f7a8b9c0-email',
  kind: 'bounce',
  channel: 'email',
  subscriberId: 'ada',
  address: 'ada@example.com',
  reason: '550 5.1.1 No such user',
  since: '2026-11-25T10:00:00.000Z',
};

describe('the words of suppressions', () => {
  it('should say why', () => {
    expect([kindWord(bounce), reasonWords(bounce)]).toEqual(['Bounced', '550 5.1.1 No such user']);
    expect(reasonWords({ kind: 'unsubscribe', reason: 'one-click' })).toBe('By the button of a mail program');
    expect(reasonWords({ kind: 'manual', reason: 'page' })).toBe('page');
  });

  it('should take from an address only what the list knows', () => {
    const asked = askedIn(new URLSearchParams('kind=bounce&channel=sms&address=+%2B491+&page=3'));
    expect(asked).toEqual({ kind: 'bounce', channel: 'sms', address: '+491' });
    expect(askedIn(new URLSearchParams('kind=constructor&channel=fax&address='))).toEqual({});
  });
});

describe('toCsv', () => {
  const [head = '', ...lines] = toCsv([
    bounce,
    { ...bounce, reason: 'said "no", then\nleft', address: '=HYPERLINK("https://phish.example")' },
    { ...bounce, channel: 'sms', address: '+49 151 (12) 345', reason: '+cmd|calc' },
  ]).split('\r\n');

  it('should have a line for each, in the order of the columns', () => {
    expect(head).toBe('id,kind,channel,subscriberId,address,workflowId,reason,since');
    expect(lines[0]).toBe(`${bounce.id},bounce,email,ada,ada@example.com,,550 5.1.1 No such user,${bounce.since}`);
  });

  it('should quote what would break a line, and hold back what a spreadsheet would carry out', () => {
    expect(lines[1]).toContain(`,"'=HYPERLINK(""https://phish.example"")",`);
    expect(lines[1]).toContain('"said ""no"", then\nleft"');
    expect(lines[2]).toContain(",+49 151 (12) 345,,'+cmd|calc,");
  });
});
