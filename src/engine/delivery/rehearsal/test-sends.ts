import { Injectable } from '@nestjs/common';
import { WakeUps } from '#libs/work';
import type { ResolvedSubscriber } from '../../../audience/subscribers/index.js';
import type { ResolvedWorkflow } from '../../../content/workflows/index.js';
import { DeliveryQueues } from '../queues/delivery-queues.js';
import {
  type NewEvent,
  type TestSample,
  type TriggerEventRecord,
  TriggerEventStore,
} from '../records/trigger-event.js';
import { WorkflowSnapshots } from '../records/workflow-version.js';
import { RunEngine } from '../run/run-engine.js';
import { RunLoader } from '../run/run-loader.js';
import { acceptedNow } from './event-rehearsals.js';

export interface TestSend {
  readonly event: NewEvent;
  readonly sample: TestSample;
  readonly workflow: ResolvedWorkflow;
  /** Record id of an active step. */
  readonly stepId: string;
  readonly subscriber: ResolvedSubscriber;
}

/** Sends single steps as tests: ordinary events and notifications with one recipient and one step, marked as tests. */
@Injectable()
export class TestSends {
  constructor(
    private readonly events: TriggerEventStore,
    private readonly snapshots: WorkflowSnapshots,
    private readonly loader: RunLoader,
    private readonly engine: RunEngine,
    private readonly queues: DeliveryQueues,
    private readonly wakeUps: WakeUps,
  ) {}

  /** Resolves when the notification is stored and waits for a worker. @returns its id */
  async send({ event, sample, workflow, stepId, subscriber }: TestSend): Promise<string> {
    const now = this.queues.now();
    const record: TriggerEventRecord = { ...acceptedNow(event, now), test: sample, status: 'expanded', expanded: 1 };
    await this.snapshots.keep(workflow);
    await this.events.insert([record]);
    await this.events.keepFrom([record], now);
    const facts = (await this.loader.factsOf([record])).get(record._id.toHexString());
    const steps = facts?.workflow.steps.filter(({ _id }) => _id.toHexString() === stepId) ?? [];
    if (facts === undefined || steps.length === 0) throw new Error(`The workflow has no active step '${stepId}'.`);
    const planned = { facts: { ...facts, workflow: { ...facts.workflow, steps } }, recipients: [subscriber] };
    const [run] = await this.loader.plan([planned], this.queues.notifications.newLease(), now);
    if (run === undefined) throw new Error('A test send has no run.');
    await this.engine.enqueue([run]);
    this.wakeUps.notify();
    return run.record._id.toHexString();
  }
}
