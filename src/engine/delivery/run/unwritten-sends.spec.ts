import { Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { SentMessage, SentMessages } from '../../messages/store/index.js';
import { MessageSent } from '../records/delivery.events.js';
import type { StepState, StepType } from '../records/notification.js';
import { planRun, type Run, RunClock } from './run.js';
import type { StepTask } from './step-handler.js';
import { Effects, StepRecorder } from './step-recorder.js';
import { UnwrittenSends } from './unwritten-sends.js';

const now = new Date('2026-01-01T00:00:00Z');

function runOf(...types: StepType[]): Run {
  const ids = {
    _id: new Types.ObjectId(),
    _organizationId: new Types.ObjectId(),
    _environmentId: new Types.ObjectId(),
  };
  const event = { ...ids, _templateId: new Types.ObjectId(), transactionId: 't' };
  const steps = types.map((type) => ({ _id: new Types.ObjectId(), type }));
  const recipient = { _id: new Types.ObjectId().toHexString(), subscriberId: 'ann' };
  const record = planRun({ steps, tags: [] } as unknown as Parameters<typeof planRun>[0], event, recipient, now);
  return { record, event, effects: new Effects() } as unknown as Run;
}

/** @param sent places of the steps whose messages are stored as sent */
async function recalled(run: Run, ...sent: number[]): Promise<{ unwritten: UnwrittenSends; task: StepTask }> {
  const { record } = run;
  const messages = sent.map((place) => {
    const { _id: _jobId, type: channel } = record.steps[place] as StepState;
    return { _id: new Types.ObjectId(), _notificationId: record._id, _jobId, channel, providerId: 'p' };
  });
  const store = { ofNotifications: () => Promise.resolve(messages as unknown as SentMessage[]) };
  const unwritten = new UnwrittenSends(
    store as unknown as SentMessages,
    new RunClock(new ManualClock(now), AppConfig.from({})),
  );
  await unwritten.recall([run]);
  const state = record.steps[record.current] as StepState;
  return { unwritten, task: { run, state, now, recorder: new StepRecorder(state, now) } as unknown as StepTask };
}

describe('UnwrittenSends', () => {
  it('should complete the step whose message is in the feed, and announce the message', async () => {
    const { unwritten, task } = await recalled(runOf('in_app'), 0);
    expect(unwritten.outcomeOf(task)).toEqual({ kind: 'completed', progress: { providerId: 'p' } });
    expect(task.recorder.events).toEqual([expect.any(MessageSent)]);
  });

  it('should complete what a delivered step stands behind, and let no failure of it end the run', async () => {
    const run = runOf('http_request', 'in_app');
    const { unwritten, task } = await recalled(run, 1);
    expect(unwritten.outcomeOf(task)).toEqual({ kind: 'completed' });
    expect(unwritten.hasGoneOn(run)).toBe(true);
  });

  it.each<[string, StepType[], number]>([
    ['a step that has other addresses to try', ['push'], 0],
    ['a step with a provider before a delivered one', ['sms', 'in_app'], 1],
  ])('should leave %s to its handler', async (_case, types, sent) => {
    const { unwritten, task } = await recalled(runOf(...types), sent);
    expect(unwritten.outcomeOf(task)).toBeUndefined();
  });

  it('should carry out again what is replayed, although a later step has delivered before', async () => {
    const run = runOf('http_request', 'chat', 'in_app');
    for (const step of run.record.steps.slice(1)) Object.assign(step, { status: 'completed', finishedAt: now });
    const { unwritten, task } = await recalled(run, 1, 2);
    expect(unwritten.outcomeOf(task)).toBeUndefined();
    expect(unwritten.hasGoneOn(run)).toBe(false);
  });
});
