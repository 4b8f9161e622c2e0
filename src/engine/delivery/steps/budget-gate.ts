import { Injectable } from '@nestjs/common';
import { isChannel } from '#libs/channels';
import { EventBus } from '#libs/common';
import { SUBSCRIBER_ZONE, zoneOf } from '#libs/schedule';
import { BUDGET_DECISIONS } from '#libs/telemetry';
import { type BudgetRule, BudgetRules } from '../../../content/budgets/index.js';
import { DETAIL } from '../../execution-details/index.js';
import type { AskedMessage, BudgetVerdict, HeldBatch, Standing } from '../records/budget-places.js';
import { BudgetUses } from '../records/budget-uses.js';
import { BudgetDigestDue, BudgetDigestRefused, type HeldContent } from '../records/delivery.events.js';
import { type NotificationRecord, NotificationStore, runKeys, type StepState } from '../records/notification.js';
import type { HeldMessage } from '../records/step-state.js';
import { environmentOf, tenantOf } from '../run/run.js';
import type { StepTask } from '../run/step-handler.js';
import type { StepOutcome } from '../run/transitions.js';
import type { MessageContentFields } from './provider-channel.js';

/** Of each message in a digest. */
const MAX_CONTENT = 1_000;

/** Decides whether a message that is ready may be sent, by the budgets of its subscriber. Every channel asks here, before anybody is called. */
@Injectable()
export class BudgetGate {
  constructor(
    private readonly rules: BudgetRules,
    private readonly uses: BudgetUses,
    private readonly notifications: NotificationStore,
    private readonly bus: EventBus,
  ) {}

  /**
   * @param content of the message, for its digest
   * @returns the outcome of a step whose message is not sent now, or undefined when it is
   */
  async refuse(task: StepTask, content: MessageContentFields): Promise<StepOutcome | undefined> {
    const { run, state } = task;
    // A step that passed and is being tried again is not asked again.
    if (state.attempt > 0 || run.event.test !== undefined) return undefined;
    const isHeld = isHeldByBudget(state);
    const owner = { environmentId: environmentOf(run) };
    // Whoever changes a budget wakes what is held, and a cache of this process may not know yet.
    const rules = await (isHeld ? this.rules.fresh(owner) : this.rules.of(owner));
    if (rules.length === 0 && !isHeld) return undefined;
    const asked = askedOf(task, rules);
    if (asked === undefined || (!isHeld && !rules.some(({ channels }) => channels.includes(asked.channel)))) {
      return undefined;
    }
    return task.witness === undefined ? this.ask(task, content, asked) : this.foresee(task, asked);
  }

  private async ask(
    task: StepTask,
    content: MessageContentFields,
    asked: AskedMessage,
  ): Promise<StepOutcome | undefined> {
    const { _subscriberId } = task.run.record;
    for (;;) {
      const verdict = await this.uses.enter(_subscriberId, asked);
      if (verdict.kind !== 'due') return this.outcomeOf(task, content, asked, verdict);
      const present = presentIn(verdict.batch, await this.runsOf(task, verdict.batch));
      await this.uses.close(_subscriberId, verdict, present, asked);
    }
  }

  /** A rehearsal counts nobody, and does not wait. */
  private async foresee(task: StepTask, asked: AskedMessage): Promise<StepOutcome | undefined> {
    const { recorder, witness, run } = task;
    const verdict = await this.uses.look(run.record._subscriberId, { ...asked, isStored: true });
    if (witness) witness.budget = verdict;
    switch (verdict.kind) {
      case 'passed':
        return noted(task, verdict);
      case 'critical':
        return noted(task, verdict);
      case 'dropped':
        return dropped(task, verdict.standing);
      case 'held':
        recorder.note(DETAIL.budgetHeld, { raw: rawOf(verdict.standing, verdict.until) });
        return { kind: 'skipped', reason: 'budget_digest' };
      default:
        return undefined;
    }
  }

  private outcomeOf(
    task: StepTask,
    content: MessageContentFields,
    { channel }: AskedMessage,
    verdict: Exclude<BudgetVerdict, { kind: 'due' }>,
  ): StepOutcome | undefined | Promise<StepOutcome> {
    if (verdict.kind === 'unstored') return beginHolding(task, content);
    const isNew = task.state.held?.until === undefined || verdict.kind === 'passed';
    const decision = verdict.kind === 'waits' ? 'held' : verdict.kind;
    if (isNew || decision !== 'held') BUDGET_DECISIONS.add({ channel, decision });
    switch (verdict.kind) {
      case 'passed':
      case 'critical':
        return noted(task, verdict);
      case 'dropped':
        return dropped(task, verdict.standing);
      case 'waits':
        return wait(task, verdict.standing, verdict.standing.opensAt);
      case 'held':
        return wait(task, verdict.standing, verdict.until);
      case 'digested':
        return this.digested(task, verdict.batch, channel);
    }
  }

  /** Makes sure that the digest is triggered before the step ends: whoever is the last of its messages has done so. */
  private async digested(task: StepTask, batch: HeldBatch, channel: AskedMessage['channel']): Promise<StepOutcome> {
    const { recorder, state } = task;
    const transactionId = `budget-${batch._id.toHexString()}`;
    const { name = '', workflow = '' } = batch.closed ?? {};
    const raw = { budget: name, workflow, messages: batch.members.length, transactionId };
    if (batch.isSent !== true) {
      try {
        await this.trigger(task, batch, { name, workflow, transactionId });
      } catch (error) {
        if (!(error instanceof BudgetDigestRefused)) throw error;
        recorder.note(DETAIL.budgetDigestFailed, { raw: { ...raw, error: error.message } });
        return { kind: 'failed', reason: 'budget_digest', error: error.message, deadLetter: true };
      }
      const { run, now } = task;
      const asked = askedAs(task, channel, []);
      await this.uses.noteSent(run.record._subscriberId, batch, { ...asked, now });
    }
    recorder.note(DETAIL.budgetDigested, { raw });
    const { message: _message, ...held } = state.held ?? { since: task.now, by: ['budget'], times: 0 };
    return { kind: 'skipped', reason: 'budget_digest', progress: { held } };
  }

  private async trigger(
    task: StepTask,
    batch: HeldBatch,
    { name, workflow, transactionId }: { readonly name: string; readonly workflow: string; transactionId: string },
  ): Promise<void> {
    const { run } = task;
    const messages = contentsOf(batch, await this.runsOf(task, batch));
    const payload = { budget: { id: batch.budget, name }, total_count: messages.length, messages };
    const { subscriberId, _id: subscriberRecordId } = run.facts.subscriber;
    const digest = { workflow, subscriberId, subscriberRecordId, transactionId, payload };
    const due = new BudgetDigestDue(tenantOf(run.event), digest);
    await this.bus.publish(due);
    if (!due.isAccepted) throw new Error('This process does not trigger the digests of budgets.');
  }

  private runsOf({ run }: StepTask, { members }: HeldBatch): Promise<NotificationRecord[]> {
    const { _environmentId, _subscriberId } = run.record;
    const keys = members.map((member) => ({ record: { _id: member.run, _environmentId, _subscriberId } }));
    return this.notifications.collection.find(runKeys(keys)).toArray();
  }
}

export function isHeldByBudget({ held }: Pick<StepState, 'held'>): boolean {
  return held?.by.includes('budget') === true;
}

function askedOf(task: StepTask, rules: readonly BudgetRule[]): AskedMessage | undefined {
  return isChannel(task.state.type) ? askedAs(task, task.state.type, rules) : undefined;
}

function askedAs(
  { run, state, now }: StepTask,
  channel: AskedMessage['channel'],
  rules: readonly BudgetRule[],
): AskedMessage {
  return {
    job: state._id,
    run: run.record._id,
    channel,
    now,
    zone: zoneOf({ timezone: SUBSCRIBER_ZONE }, run.facts.subscriber.timezone),
    rules,
    isCritical: run.workflow.critical,
    isDigest: run.event.ofBudget !== undefined,
    isStored: state.held?.message !== undefined,
    wasClaimed: run.wasClaimed,
  };
}

/** The run is stored with its content first: a change of a budget finds it from then on, and so does the one who closes the digest. */
function beginHolding({ run, state, now }: StepTask, content: MessageContentFields): StepOutcome {
  const { identifier, name } = run.workflow;
  const message: HeldMessage = {
    workflow: { identifier, name },
    ...(content.subject !== undefined && { subject: content.subject }),
    ...(content.title !== undefined && { title: content.title }),
    ...(run.event.tenant !== undefined && { tenant: run.event.tenant }),
    content: beginningOf(content.content),
  };
  const held = { since: state.held?.since ?? now, by: ['budget' as const], times: 0, message };
  return { kind: 'wait', until: now, isHeld: true, progress: { held } };
}

function beginningOf(content: unknown): string {
  if (typeof content !== 'string') return '';
  return content.length <= MAX_CONTENT ? content : `${content.slice(0, MAX_CONTENT)}…`;
}

function wait({ state, now, recorder }: StepTask, standing: Standing, until: Date): StepOutcome {
  const before = state.held;
  if (before?.until?.getTime() !== until.getTime()) recorder.note(DETAIL.budgetHeld, { raw: rawOf(standing, until) });
  const held = { since: now, times: 0, ...before, by: ['budget' as const], until };
  return { kind: 'wait', until, isHeld: true, progress: { held: { ...held, times: held.times + 1 } } };
}

function dropped({ recorder }: StepTask, standing: Standing): StepOutcome {
  recorder.note(DETAIL.budgetDropped, { raw: rawOf(standing, standing.opensAt) });
  return { kind: 'skipped', reason: 'budget' };
}

function noted({ recorder }: StepTask, verdict: Extract<BudgetVerdict, { kind: 'passed' | 'critical' }>): undefined {
  if (verdict.kind === 'critical') recorder.note(DETAIL.budgetCritical, { raw: { critical: verdict.count } });
  else {
    recorder.note(DETAIL.budgetPassed, {
      raw: { budgets: verdict.standings.map(({ name, count, max }) => ({ name, count, max })) },
    });
  }
}

function rawOf({ name, count, max }: Standing, opensAt: Date | undefined): Record<string, unknown> {
  return { budget: name, count, max, opensAt };
}

/** The messages of a batch that are there: stored, and not canceled. */
function presentIn(batch: HeldBatch, runs: readonly NotificationRecord[]): Set<string> {
  const found = stepsOf(runs);
  return new Set(
    batch.members.flatMap(({ job }) => {
      const { record, step } = found.get(job.toHexString()) ?? {};
      const isThere = record?.status === 'active' && record.cancelRequested !== true && step?.finishedAt === undefined;
      return isThere && step?.held?.message !== undefined ? [job.toHexString()] : [];
    }),
  );
}

/** Oldest first. */
function contentsOf({ members }: HeldBatch, runs: readonly NotificationRecord[]): HeldContent[] {
  const found = stepsOf(runs);
  const contents = members.flatMap(({ job, channel }): HeldContent[] => {
    const { record, step } = found.get(job.toHexString()) ?? {};
    const { since, message } = step?.held ?? {};
    if (record === undefined || message === undefined) return [];
    const { _id, transactionId } = record;
    const at = (since ?? record.createdAt).toISOString();
    return [{ ...message, channel, at, transactionId, notificationId: _id.toHexString() }];
  });
  return contents.sort((a, b) => (`${a.at} ${a.notificationId}` < `${b.at} ${b.notificationId}` ? -1 : 1));
}

function stepsOf(runs: readonly NotificationRecord[]): Map<string, { record: NotificationRecord; step: StepState }> {
  return new Map(
    runs.flatMap((record) => record.steps.map((step) => [step._id.toHexString(), { record, step }] as const)),
  );
}
