import { decisiveJob, explanationOf, isReplayable, isUncertain, reasonLine, refusedAddress } from './explain.js';
import { jobWord, type Job, notificationWord } from './words.js';

const job = (more: Partial<Job>): Job => ({ status: 'failed', type: 'email', executionDetails: [], ...more }) as Job;
const skippedBy = (detail: string): Job =>
  job({ status: 'skipped', reason: 'preferences', executionDetails: [{ detail }] as Job['executionDetails'] });
const attempted = (code: string): Job =>
  job({ reason: 'provider', history: { attempts: [{ code }] } as unknown as NonNullable<Job['history']> });
const bounced = job({
  status: 'completed',
  executionDetails: [{ detail: '550 gone', webhookStatus: 'bounced', status: 'Failed' }] as Job['executionDetails'],
});

describe('explanationOf', () => {
  it('should tell a digest that comes from one that could not be sent', () => {
    expect(explanationOf(job({ status: 'skipped', reason: 'budget_digest' }))?.title).toMatch(/comes with the digest/);
    const failed = explanationOf(job({ reason: 'budget_digest', error: 'The workflow is not active.' }));
    expect(failed).toMatchObject({ text: 'The workflow is not active.', title: /could not be sent/ });
    expect(explanationOf(job({ status: 'skipped', reason: 'budget' }))?.title).toMatch(/used up/);
  });

  it('should say nothing about a step that did its work or has yet to do it', () => {
    for (const status of ['completed', 'queued', 'running', 'delayed', 'pending'] as const)
      expect(explanationOf(job({ status }))).toBeUndefined();
  });

  it('should tell an outage from refused credentials, an address and a message', () => {
    const titles = ['unavailable', 'timeout', 'unauthorized', 'invalid_target', 'rate_limited', 'rejected'].map(
      (code) => explanationOf(attempted(code))?.title,
    );
    expect(titles).toEqual([
      'The provider was not available',
      'The provider was not available',
      'The provider rejected the credentials',
      'The provider rejected the address',
      "The provider's rate limit was reached",
      'The provider refused the message',
    ]);
  });

  it('should say whose setting switched a channel off', () => {
    expect(explanationOf(skippedBy('Step filtered by subscriber workflow preferences'))?.title).toContain('subscriber');
    expect(explanationOf(skippedBy('Step filtered by the workflow override of the tenant'))?.title).toContain('tenant');
    expect(explanationOf(skippedBy('Something new'))?.title).toBe('Disabled by preferences');
  });

  it('should keep the words of the error, also with a reason that it does not know', () => {
    expect(explanationOf(job({ reason: 'new_reason', error: 'No luck.' }))).toMatchObject({
      title: 'The step failed',
      text: 'No luck.',
    });
  });

  it('should explain a message that bounced after it was accepted', () => {
    expect(explanationOf(bounced)).toMatchObject({ text: '550 gone' });
    expect(jobWord(bounced)).toEqual({ tone: 'bad', label: 'Bounced' });
    expect(notificationWord({ status: 'completed', jobs: [bounced] }).label).toBe('Bounced');
  });
});

describe('the notification as a whole', () => {
  const sent = job({ status: 'completed' });
  const skipped = job({ status: 'skipped', reason: 'conditions' });
  const failed = job({ reason: 'no_address', error: 'bounced' });

  it('should name the step that decides: a failure before a skip', () => {
    expect(decisiveJob([sent, skipped, failed])).toBe(failed);
    expect(decisiveJob([sent])).toBeUndefined();
    expect(reasonLine({ jobs: [sent, skipped, failed] })).toBe('bounced');
    expect(reasonLine({ jobs: [skipped] })).toBe('A step condition was not met');
    expect(reasonLine({ jobs: [sent] })).toBe('');
  });

  it('should not call completed what sent nothing, nor failed what is dead', () => {
    expect(notificationWord({ status: 'completed', jobs: [skipped] }).label).toBe('Skipped');
    expect(notificationWord({ status: 'completed', jobs: [sent, skipped] }).label).toBe('Completed, 1 skipped');
    expect(notificationWord({ status: 'failed', jobs: [job({ deadLetter: true })] }).label).toBe('Not delivered');
    expect(notificationWord({ status: 'failed', jobs: [failed] }).label).toBe('Failed');
  });

  it('should not advise to replay a step that was skipped for lack of an address', () => {
    const nowhere = job({ status: 'skipped', reason: 'no_channel' });
    expect(explanationOf(nowhere)?.remedy).toContain('trigger the event again');
    expect(explanationOf(job({ reason: 'no_channel' }))?.remedy).toContain('replay');
  });

  it('should know what can be replayed, and what may be sent twice', () => {
    expect(isReplayable({ status: 'failed', jobs: [failed] })).toBe(true);
    expect(isReplayable({ status: 'completed', jobs: [skipped] })).toBe(false);
    expect(isUncertain({ jobs: [failed] })).toBe(false);
    expect(isUncertain({ jobs: [job({ reason: 'uncertain' })] })).toBe(true);
  });

  it('should know which address may be marked as invalid', () => {
    expect(refusedAddress(failed)).toBe('email');
    expect(refusedAddress({ ...failed, type: 'push' })).toBeUndefined();
    expect(refusedAddress(skipped)).toBeUndefined();
  });
});
