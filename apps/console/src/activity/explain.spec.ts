import { decisiveJob, isReplayable, isUncertain, reasonLine, refusedAddress } from './explain.js';
import { jobWord, type Job, notificationWord } from './words.js';

const job = (more: Partial<Job>): Job => ({ status: 'failed', type: 'email', executionDetails: [], ...more }) as Job;
const bounced = job({
  status: 'completed',
  executionDetails: [{ detail: '550 gone', webhookStatus: 'bounced', status: 'Failed' }] as Job['executionDetails'],
});

describe('the notification as a whole', () => {
  const sent = job({ status: 'completed' });
  const remedy = 'Do it.';
  const skipped = job({ status: 'skipped', explanation: { title: 'A step condition was not met', remedy } });
  const failed = job({ reason: 'no_address', explanation: { title: 'No address', text: 'bounced', remedy } });

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
    const uncertain = job({ deadLetter: true, uncertain: true });
    expect(jobWord(uncertain).label).toBe('May be delivered');
    expect(notificationWord({ status: 'failed', jobs: [uncertain] }).label).toBe('May be delivered');
    expect(notificationWord({ status: 'failed', jobs: [uncertain, job({ deadLetter: true })] }).label).toBe(
      'Not delivered',
    );
  });

  it('should call bounced what the provider accepted and reported afterwards', () => {
    expect(jobWord(bounced)).toEqual({ tone: 'bad', label: 'Bounced' });
    expect(notificationWord({ status: 'completed', jobs: [bounced] }).label).toBe('Bounced');
    expect(decisiveJob([sent, bounced])).toBe(bounced);
  });

  it('should know what can be replayed, and what may be sent twice', () => {
    expect(isReplayable({ status: 'failed', jobs: [failed] })).toBe(true);
    expect(isReplayable({ status: 'completed', jobs: [skipped] })).toBe(false);
    expect(isUncertain({ jobs: [failed] })).toBe(false);
    expect(isUncertain({ jobs: [job({ uncertain: true })] })).toBe(true);
  });

  it('should know which address may be marked as invalid', () => {
    expect(refusedAddress(failed)).toBe('email');
    expect(refusedAddress({ ...failed, type: 'push' })).toBeUndefined();
    expect(refusedAddress(skipped)).toBeUndefined();
  });
});
