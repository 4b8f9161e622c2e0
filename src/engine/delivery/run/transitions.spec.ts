import '../../../../test/support/declared-steps.js';
import { Types } from 'mongoose';
import type { ResolvedStep, ResolvedWorkflow } from '../../../content/workflows/index.js';
import type { NotificationRecord, StepType } from '../records/notification.js';
import { toRunWorkflow, type RunWorkflow } from '../records/workflow-version.js';
import { planRun } from './run.js';
import {
  applyOutcome,
  cancelRun,
  continueForOthers,
  currentStep,
  failRun,
  leadDigest,
  mergeRun,
  restoreState,
  saveState,
  startStep,
  type StepOutcome,
} from './transitions.js';
import { replayRun } from './replay-transitions.js';

const now = new Date('2026-01-01T00:00:00Z');
const ALL = { includesUncertain: false };
const later = new Date('2026-01-01T01:00:00Z');
const inDays = (days: number, from = now): Date => new Date(from.getTime() + days * 86_400_000);

const step = (type: string, more: Partial<ResolvedStep> = {}): ResolvedStep => ({
  id: new Types.ObjectId().toHexString(),
  uuid: type,
  active: true,
  shouldStopOnFail: false,
  template: { type },
  filters: [],
  metadata: {},
  replyCallback: {},
  variants: [],
  ...more,
});
const workflow = (...steps: ResolvedStep[]): RunWorkflow =>
  toRunWorkflow({
    id: new Types.ObjectId().toHexString(),
    version: 3,
    tags: ['a'],
    steps,
  } as unknown as ResolvedWorkflow);
const event = {
  _id: new Types.ObjectId(),
  _organizationId: new Types.ObjectId(),
  _environmentId: new Types.ObjectId(),
  _templateId: new Types.ObjectId(),
  transactionId: 't',
};
const ann = { _id: new Types.ObjectId().toHexString(), subscriberId: 'ann' };
const run = (...types: StepType[]): NotificationRecord =>
  planRun(workflow(...types.map((type) => step(type))), event, ann, now);
const finish = (record: NotificationRecord, outcome: StepOutcome, shouldStopOnFail = false): void => {
  applyOutcome(record, outcome, { now: later, shouldStopOnFail, retentionDays: 30 });
};
const statuses = (record: NotificationRecord): string[] => record.steps.map(({ status }) => status);

describe('toRunWorkflow', () => {
  it('should keep active steps, also those that can only fail, and name the version', () => {
    const planned = workflow(step('in_app'), step('sms', { active: false }), step('trigger'), step('email'));
    expect(planned.steps.map(({ type }) => type)).toEqual(['in_app', 'trigger', 'email']);
    expect(planned.snapshotId).toBe(`${planned.id}:3`);
  });

  it('should give what waits for others a lane of its own', () => {
    const webhook = [{ children: [{ on: 'webhook' as const, webhookUrl: 'https://x.test' }] }];
    const planned = workflow(step('in_app'), step('email'), step('delay'), step('in_app', { filters: webhook }));
    expect(planned.steps.map(({ lane }) => lane)).toEqual(['store', 'email', 'store', 'webhook']);
  });
});

describe('planRun', () => {
  it('should make the same run for the same event and subscriber, and another for others', () => {
    const planned = workflow(step('in_app'), step('email'));
    const [once, again] = [planRun(planned, event, ann, now), planRun(planned, event, ann, later)];
    expect(again._id).toEqual(once._id);
    expect(again.steps.map(({ _id }) => _id)).toEqual(once.steps.map(({ _id }) => _id));
    const ids = new Set([once._id, ...once.steps.map(({ _id }) => _id)].map((id) => id.toHexString()));
    expect(ids.size).toBe(3);
    const bob = { _id: ann._id, subscriberId: 'bob' };
    expect(planRun(planned, event, bob, now)._id).not.toEqual(once._id);
  });
});

describe('applyOutcome', () => {
  it('should go to the next step after success, and end after the last one', () => {
    const record = run('in_app', 'email');
    finish(record, { kind: 'completed' });
    expect(currentStep(record)?.type).toBe('email');
    finish(record, { kind: 'completed' });
    expect(record).toMatchObject({ status: 'completed', current: 2, expireAt: inDays(30, later) });
    expect(record.wakeAt).toBeUndefined();
  });

  it.each([
    ['go on after a failure', { kind: 'failed', reason: 'x' }, false, ['failed', 'completed'], 'failed'],
    ['stop where the step says so', { kind: 'failed', reason: 'x' }, true, ['failed', 'canceled'], 'failed'],
    [
      'stop where going on would be wrong',
      { kind: 'failed', reason: 'x', stopsRun: true },
      false,
      ['failed', 'canceled'],
      'failed',
    ],
    [
      'skip the rest where the step ends the run',
      { kind: 'skipped', reason: 'throttled', stopsRun: true },
      false,
      ['skipped', 'skipped'],
      'completed',
    ],
    ['go on after a step was skipped', { kind: 'skipped', reason: 'x' }, true, ['skipped', 'completed'], 'completed'],
  ] as const)('should %s', (_case, result, shouldStopOnFail, expected, status) => {
    const record = run('in_app', 'in_app');
    finish(record, result, shouldStopOnFail);
    if (record.status === 'active') finish(record, { kind: 'completed' });
    expect(statuses(record)).toEqual(expected);
    expect(record.status).toBe(status);
    expect(statuses(record)).not.toContain('pending');
  });

  it('should wait, and try again later, without a lease', () => {
    const delayed = run('delay', 'in_app');
    delayed.lease = 'mine';
    finish(delayed, { kind: 'wait', until: inDays(1) });
    expect(delayed).toMatchObject({ wakeAt: inDays(1), steps: [{ status: 'delayed', dueAt: inDays(1) }, {}] });
    expect(delayed.lease).toBeUndefined();
    const retried = run('email');
    finish(retried, { kind: 'retry', at: later, reason: 'provider', error: 'away' });
    expect(retried).toMatchObject({ wakeAt: later, steps: [{ status: 'queued', error: 'away' }] });
    const state = currentStep(retried);
    if (state) startStep(state, later);
    finish(retried, { kind: 'completed' });
    expect(retried.steps[0]).not.toHaveProperty('error');
    expect(retried.steps[0]).not.toHaveProperty('dueAt');
  });
});

describe('progress of a step', () => {
  it('should set what a handler reports, and remove what is undefined', () => {
    const record = run('email');
    const context = { now: later, shouldStopOnFail: false, retentionDays: 30 };
    const retry = { kind: 'retry', at: later, reason: 'provider', error: 'unavailable' } as const;
    applyOutcome(record, { ...retry, progress: { attempt: 1, tried: ['a'], uncertainAt: 'a' } }, context);
    expect(record.steps[0]).toMatchObject({ attempt: 1, tried: ['a'], uncertainAt: 'a' });
    applyOutcome(record, { ...retry, progress: { attempt: 2, uncertainAt: undefined } }, context);
    expect(record.steps[0]).toMatchObject({ attempt: 2, tried: ['a'] });
    expect(record.steps[0]).not.toHaveProperty('uncertainAt');
  });

  it('should keep the step running when it waits together with others', () => {
    const record = run('digest', 'email');
    const state = currentStep(record);
    if (state) startStep(state, now);
    const outcome = { kind: 'gather', slot: 'slot', until: inDays(1) } as const;
    const context = { now: later, shouldStopOnFail: false, retentionDays: 30 };
    expect(applyOutcome(record, { ...outcome, progress: { attempt: 1 } }, context)).toEqual([]);
    expect(record).toMatchObject({ status: 'active', current: 0, steps: [{ status: 'running', attempt: 1 }, {}] });
  });

  it('should name the steps that a failure cancels', () => {
    const record = run('in_app', 'email');
    const outcome = { kind: 'failed', reason: 'x' } as const;
    const context = { now: later, shouldStopOnFail: true, retentionDays: 30 };
    expect(applyOutcome(record, outcome, context)).toEqual([record.steps[1]]);
  });
});

describe('failRun', () => {
  const context = { now: later, retentionDays: 30 };

  it('should cancel the later steps of a run that cannot be replayed', () => {
    const record = run('in_app', 'email');
    failRun(record, { reason: 'event_missing', error: 'gone', isReplayable: false }, context);
    expect(record).toMatchObject({
      status: 'failed',
      steps: [
        { status: 'failed', reason: 'event_missing', error: 'gone' },
        { status: 'canceled', reason: 'event_missing' },
      ],
    });
  });

  it('should let a replay begin with the step that a worker died over', () => {
    const record = run('in_app', 'email');
    const state = currentStep(record);
    if (state) startStep(state, now);
    failRun(record, { reason: 'worker_lost', error: 'died', isReplayable: true }, context);
    expect(record).toMatchObject({ status: 'failed', steps: [{ status: 'failed', deadLetter: true }, {}] });
    expect(replayRun(record, later, ALL)).toBeUndefined();
    expect(statuses(record)).toEqual(['queued', 'pending']);
  });
});

describe('continueForOthers', () => {
  it('should put the run back into the lane of its step', () => {
    const record = run('email');
    record.cancelRequested = true;
    record.lease = 'mine';
    continueForOthers(record, 'email', later);
    expect(record).toMatchObject({
      digestForOthers: true,
      lane: 'email',
      wakeAt: later,
      steps: [{ status: 'queued' }],
    });
    expect(record).not.toHaveProperty('cancelRequested');
    expect(record).not.toHaveProperty('lease');
  });

  it('should keep the due time of a step that waits', () => {
    const record = run('delay', 'email');
    finish(record, { kind: 'wait', until: inDays(1) });
    continueForOthers(record, 'email', later);
    expect(record).toMatchObject({ lane: 'store', wakeAt: inDays(1), steps: [{ status: 'delayed' }, {}] });
  });
});

describe('restoreState', () => {
  it('should undo everything that a step has changed', () => {
    const record = run('in_app', 'email');
    const before = structuredClone({ ...record, steps: record.steps.map(({ status }) => status) });
    const saved = saveState(record);
    finish(record, { kind: 'failed', reason: 'x' }, true);
    restoreState(record, saved);
    expect({ status: record.status, current: record.current, steps: statuses(record) }).toEqual({
      status: before.status,
      current: before.current,
      steps: before.steps,
    });
    expect(record.expireAt).toBeUndefined();
  });
});

describe('cancelRun', () => {
  it('should give every step that was not done its final status', () => {
    const record = run('in_app', 'delay', 'email');
    finish(record, { kind: 'completed' });
    finish(record, { kind: 'wait', until: inDays(1) });
    expect(cancelRun(record, { now: later, retentionDays: 30 })).toHaveLength(2);
    expect(statuses(record)).toEqual(['completed', 'canceled', 'canceled']);
    expect(record.status).toBe('canceled');
    expect(record.wakeAt).toBeUndefined();
  });

  it('should not say that a step is canceled whose call was interrupted', () => {
    const record = run('email', 'in_app');
    const alone = run('email');
    for (const { steps } of [record, alone]) {
      Object.assign(steps[0] ?? {}, { status: 'running' });
      Object.assign(steps[0] ?? {}, {
        calls: [{ target: '', integrationId: 'i', providerId: 'p', at: now, attempt: 0 }],
      });
    }
    cancelRun(record, { now: later, retentionDays: 30 });
    cancelRun(alone, { now: later, retentionDays: 30 });
    expect(statuses(record)).toEqual(['failed', 'canceled']);
    expect([record.status, alone.status]).toEqual(['canceled', 'failed']);
    expect(replayRun(alone, later, ALL)).toBe('uncertain');
  });
});

describe('digests', () => {
  it('should let a leader wait with its slot, and merge a follower until the digest has ended', () => {
    const leader = run('digest', 'email');
    leadDigest(leader, 'slot', inDays(60), now);
    expect(leader).toMatchObject({ digestSlot: 'slot', wakeAt: inDays(60), lane: 'store', status: 'active' });
    const follower = run('digest', 'email');
    mergeRun(follower, inDays(60), { now, retentionDays: 30 });
    expect(statuses(follower)).toEqual(['merged', 'merged']);
    // Its event must be there when the digest ends, long after its own end.
    expect(follower.expireAt).toEqual(inDays(90));
  });
});

describe('replayRun', () => {
  const failed = (): NotificationRecord => {
    const record = run('email', 'in_app');
    finish(record, { kind: 'failed', reason: 'provider', error: 'away', deadLetter: true }, true);
    return record;
  };

  it('should begin the failed step anew and let those it had stopped follow', () => {
    const record = failed();
    expect(replayRun(record, later, ALL)).toBeUndefined();
    expect(record).toMatchObject({ status: 'active', current: 0, wakeAt: later });
    expect(statuses(record)).toEqual(['queued', 'pending']);
    expect(record.steps[0]).not.toHaveProperty('deadLetter');
    expect(record.expireAt).toBeUndefined();
  });

  it('should refuse what runs, and what has not failed', () => {
    expect(replayRun(run('email'), later, ALL)).toBe('running');
    const done = run('email');
    finish(done, { kind: 'completed' });
    expect(replayRun(done, later, ALL)).toBe('nothing_failed');
    const record = failed();
    expect(replayRun(record, later, { ...ALL, jobIds: new Set([record.steps[1]?._id.toHexString() ?? '']) })).toBe(
      'nothing_failed',
    );
  });

  it('should not send again to targets that were reached', () => {
    const record = failed();
    Object.assign(record.steps[0] ?? {}, {
      targets: [
        { key: 'a', status: 'sent' },
        { key: 'b', status: 'failed' },
      ],
    });
    replayRun(record, later, ALL);
    expect(record.steps[0]?.targets).toEqual([{ key: 'a', status: 'sent' }]);
  });

  it('should send again what may have been sent only when it is told to', () => {
    const uncertain = (): NotificationRecord => {
      const record = run('email');
      finish(record, { kind: 'failed', reason: 'uncertain', error: 'no answer' });
      return record;
    };
    expect(replayRun(uncertain(), later, ALL)).toBe('uncertain');
    const record = uncertain();
    Object.assign(record.steps[0] ?? {}, { mayBeSent: true, uncertainSince: now });
    expect(replayRun(record, later, { includesUncertain: true })).toBeUndefined();
    expect(record.steps[0]).not.toHaveProperty('mayBeSent');
    expect(record.steps[0]).not.toHaveProperty('uncertainSince');
  });

  it('should leave targets out that may have been reached, unless it is told to take them', () => {
    const targets = [
      { key: 'a', status: 'uncertain' },
      { key: 'b', status: 'failed' },
    ];
    const [kept, again] = [false, true].map((includesUncertain) => {
      const record = failed();
      Object.assign(record.steps[0] ?? {}, { targets });
      replayRun(record, later, { includesUncertain });
      return record.steps[0]?.targets;
    });
    expect(kept).toEqual([{ key: 'a', status: 'uncertain' }]);
    expect(again).toEqual([]);
  });
});
