import { answerWords, deliveryWord, hostOf, isReplayable, webhookWord } from './webhook-words.js';

describe('words of webhooks', () => {
  it('say who switched a webhook off', () => {
    expect(webhookWord({ active: true }).label).toBe('Active');
    expect(webhookWord({ active: false }).label).toBe('Inactive');
    expect(webhookWord({ active: false, disabledReason: '410 Gone' })).toEqual({
      tone: 'bad',
      label: 'Disabled by Herald',
    });
  });

  it('say how a delivery stands', () => {
    expect(deliveryWord({ status: 'pending', attempts: 0 }).label).toBe('Pending');
    expect(deliveryWord({ status: 'pending', attempts: 2 }).label).toBe('Retrying');
    expect(deliveryWord({ status: 'failed', attempts: 8 }).tone).toBe('bad');
  });

  it('say what the receiver answered', () => {
    expect(answerWords({ status: 'delivered', lastStatusCode: 204 })).toBe('HTTP 204');
    expect(answerWords({ status: 'failed', lastStatusCode: 500, lastError: 'The URL responded with 500.' })).toBe(
      'The URL responded with 500.',
    );
    expect(answerWords({ status: 'failed', lastStatusCode: 302, lastError: 'redirects are not followed' })).toBe(
      'HTTP 302: redirects are not followed',
    );
    expect(answerWords({ status: 'failed', lastError: 'no answer' })).toBe('no answer');
  });

  it('offer a replay where the API takes one', () => {
    expect(isReplayable({ status: 'failed' }, { active: true })).toBe(true);
    expect(isReplayable({ status: 'pending' }, { active: true })).toBe(false);
    expect(isReplayable({ status: 'failed' }, { active: false })).toBe(false);
  });

  it('name a webhook by its host', () => {
    expect(hostOf('https://hooks.example:8443/path?token=secret')).toBe('hooks.example:8443');
    expect(hostOf('not a url')).toBe('not a url');
  });
});
