import '../../../../test/support/declared-steps.js';
import { jest } from '@jest/globals';
import { Types } from 'mongoose';
import { ManualClock } from '#libs/common';
import { AppConfig } from '#libs/config';
import type { AppLogger } from '#libs/http-kit';
import { LeaseLost } from '#libs/work';
import { Turns } from '#libs/worker-pool';
import { DETAIL } from '../../execution-details/index.js';
import type { SentMessage, SentMessages } from '../../messages/store/index.js';
import type { RunWorkflow } from '../records/workflow-version.js';
import { delay } from '../steps/delay/delay.declaration.js';
import { planRun, type Run, RunClock } from './run.js';
import { type StepHandler, StepHandlers } from './step-handler.js';
import { Effects } from './step-recorder.js';
import { StepRunner } from './step-runner.js';
import { UnwrittenSends } from './unwritten-sends.js';

const now = new Date('2026-01-01T00:00:00Z');
const subscriber = { _id: new Types.ObjectId().toHexString(), subscriberId: 'ann' };

function newRun(): Run {
  const ids = {
    _id: new Types.ObjectId(),
    _organizationId: new Types.ObjectId(),
    _environmentId: new Types.ObjectId(),
  };
  const caller = { _userId: new Types.ObjectId(), _apiKeyId: new Types.ObjectId() };
  const event = { ...ids, ...caller, _templateId: new Types.ObjectId(), transactionId: 't', createdAt: now };
  const steps = ['delay', 'delay'].map((type) => ({ _id: new Types.ObjectId(), type, lane: 'store', metadata: {} }));
  const workflow = { steps, tags: [] } as unknown as RunWorkflow;
  const record = planRun(workflow, event, subscriber, now);
  return { record, event, workflow, facts: {}, effects: new Effects() } as unknown as Run;
}

function runnerOf(run: StepHandler['run'], more: Partial<StepHandler> = {}): StepRunner {
  const clock = new RunClock(new ManualClock(now), AppConfig.from({}));
  const handlers = new StepHandlers();
  handlers.add('delay', { run, preview: () => Promise.resolve({}), ...more });
  const nothing = new UnwrittenSends({} as SentMessages, clock);
  return new StepRunner(handlers, nothing, clock, { event: () => undefined } as unknown as AppLogger);
}

const detailsOf = ({ effects }: Run): string[] => effects.details.map(({ detail }) => detail);

describe('StepRunner', () => {
  it('should put what each step has done into the effects of the run, in order', async () => {
    const run = newRun();
    const runner = runnerOf(({ recorder }) => {
      recorder.note(delay.trail.finished);
      return Promise.resolve({ kind: 'completed' });
    });
    await runner.runStoreSteps(run, new Turns());
    const finished = delay.trail.finished.text;
    expect(detailsOf(run)).toEqual([DETAIL.stepQueued, finished, DETAIL.stepQueued, finished]);
    expect(run.record.status).toBe('completed');
  });

  it('should keep what was done before a fault that leaves the step undecided', async () => {
    const run = newRun();
    const fault = new LeaseLost(run);
    const runner = runnerOf(({ recorder }) => {
      recorder.note(DETAIL.startSending);
      return Promise.reject(fault);
    });
    await expect(runner.runCurrent(run)).rejects.toBe(fault);
    expect(detailsOf(run)).toEqual([DETAIL.stepQueued, DETAIL.startSending]);
    expect(run.record.steps[0]?.status).toBe('running');
  });

  it('should fail a step with a fault of its own, after what it has done', async () => {
    const run = newRun();
    const runner = runnerOf(({ recorder }) => {
      recorder.note(DETAIL.startSending);
      return Promise.reject(new Error('broken'));
    });
    await runner.runCurrent(run);
    expect(detailsOf(run)).toEqual([DETAIL.stepQueued, DETAIL.startSending, DETAIL.notificationError]);
    expect(run.record.steps[0]).toMatchObject({ status: 'failed', reason: 'internal_error', error: 'broken' });
  });

  it('should leave no trail of a step that only waited for its turn', async () => {
    const run = newRun();
    const runner = runnerOf(({ recorder }) => {
      recorder.note(DETAIL.startSending);
      return Promise.resolve({ kind: 'busy', at: now, hasBegun: false });
    });
    await runner.runCurrent(run);
    expect(run.effects.details).toEqual([]);
    expect(run.record.steps[0]?.status).toBe('queued');
  });

  it('should give a step that a delivered one stands behind what was decided about it, and not decide again', async () => {
    const run = newRun();
    const { record } = run;
    const [, later] = record.steps;
    run.delivered = [{ _id: new Types.ObjectId(), _jobId: later?._id } as SentMessage];
    const decide = jest.fn<StepHandler['run']>();
    const runner = runnerOf(decide, { recall: () => Promise.resolve({ output: { n: 1 } }) });
    await runner.runCurrent(run);
    expect(record.steps[0]).toMatchObject({ status: 'completed', output: { n: 1 } });
    expect(decide).not.toHaveBeenCalled();
  });
});
