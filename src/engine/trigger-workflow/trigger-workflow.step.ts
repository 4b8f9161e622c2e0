import { Injectable } from '@nestjs/common';
import type { Caller } from '#libs/common';
import { AppException } from '#libs/http-kit';
import { toObjectId } from '#libs/persistence';
import { StepError } from '#libs/plugins';
import { Step, type StepContext, type StepResult, type StepRunner } from '../delivery/index.js';
import { DryRunService, type EventMarks, EventsService, parseRecipients, TriggerEventDto } from '../events/index.js';
import { MAX_DEPTH, triggerWorkflow, type TriggerWorkflowInput } from './trigger-workflow.declaration.js';

type Context = StepContext<TriggerWorkflowInput>;

/**
 * Starts another workflow, as a client with the scope `trigger` would. It stands above the events, so it is made as the steps of
 * plugins are: the engine below finds it, and knows nothing of it.
 */
@Step(triggerWorkflow)
@Injectable()
export class TriggerWorkflowStep implements StepRunner<TriggerWorkflowInput> {
  constructor(
    private readonly events: EventsService,
    private readonly dryRuns: DryRunService,
  ) {}

  async run(context: Context): Promise<StepResult> {
    assertDepth(context);
    const event = eventOf(context);
    const { status, hint } = await refused(event, () =>
      this.events.triggerAt(callerOf(context), event, marksOf(context)),
    );
    if (status !== 'processed') throw notStarted(event, hint ?? status);
    return { status: 'completed', output: { ...shown(context, event), transactionId: event.transactionId } };
  }

  /** Nothing is started, and what the other workflow would do is not looked at. */
  async simulate(context: Context): Promise<StepResult> {
    assertDepth(context);
    const event = eventOf(context);
    // It would answer that an event with this id was accepted before.
    delete event.transactionId;
    const { status, reason } = await refused(event, () => this.dryRuns.run(callerOf(context), event, 0));
    if (status !== 'processed') throw notStarted(event, reason ?? status);
    return { status: 'completed', output: shown(context, event) };
  }
}

/** A workflow that starts itself ends here. */
function assertDepth({ depth, input }: Context): void {
  if (depth < MAX_DEPTH) return;
  throw new StepError(
    `The workflow '${input.workflow}' was not started: this event has started ${MAX_DEPTH} workflows one after the other, which is the most.`,
    { retryable: false, reason: 'workflow_chain_too_long' },
  );
}

/** The same at each attempt, so that it is accepted once, whatever ends in between. */
function eventOf(context: Context): TriggerEventDto {
  const { input, idempotencyKey, payload, tenant, actor } = context;
  const event = new TriggerEventDto();
  event.name = input.workflow;
  event.to = parseRecipients(recipientsOf(context), 'recipients');
  event.payload = { ...(input.data ?? payload) };
  event.transactionId = `step:${idempotencyKey}`;
  if (tenant) event.tenant = String(tenant['identifier']);
  if (actor) event.actor = String(actor['subscriberId']);
  if (event.to.faults.length > 0) throw notStarted(event, `${event.to.faults.join('; ')}.`);
  return event;
}

function recipientsOf({ input, subscriber }: Context): string[] {
  return input.recipients ?? [String(subscriber['subscriberId'])];
}

function shown(context: Context, { name }: Pick<TriggerEventDto, 'name'>): Record<string, unknown> {
  return { workflow: name, recipients: recipientsOf(context) };
}

/** Whoever has the id of a deleted subscriber later is not meant. */
function marksOf({ depth, input, subscriber }: Context): EventMarks {
  const isForSame = input.recipients === undefined || input.recipients === null;
  return { depth: depth + 1, ...(isForSame && { forRecord: toObjectId(String(subscriber['_id'])) }) };
}

/** Subscribers stay as they are: a workflow says nothing of them. */
function callerOf({ caller }: Context): Caller {
  return { ...caller, scopes: ['trigger'] };
}

/** @throws {StepError} where the trigger would be answered with an error of the caller */
async function refused<T>({ name }: Pick<TriggerEventDto, 'name'>, trigger: () => Promise<T>): Promise<T> {
  try {
    return await trigger();
  } catch (error) {
    if (!(error instanceof AppException) || error.status >= 500) throw error;
    const text = [error.messages].flat().join('; ');
    // Clients of the compatible system get a code in place of some texts.
    throw notStarted({ name }, text === error.code ? (error.hint ?? text) : text);
  }
}

function notStarted({ name }: Pick<TriggerEventDto, 'name'>, why: string): StepError {
  const message = `The workflow '${name}' was not started: ${why}`;
  return new StepError(message, { retryable: false, reason: 'workflow_not_started' });
}
