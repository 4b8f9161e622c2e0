import { Injectable } from '@nestjs/common';
import { isChannel } from '#libs/channels';
import { Rendering, TemplateError } from '#libs/templates';
import { type MessageProgress, messageIdFor, MessageStore } from '../../../messages/store/index.js';
import { ownKeys, SignalStore, valueKey } from '../../records/signals.js';
import type { StepState, WaitState } from '../../records/step-state.js';
import { environmentOf, type Run, tenantOf } from '../../run/run.js';
import type { StepTask } from '../../run/step-handler.js';
import { templateVariables } from '../template-variables.js';
import { isMessageEvent, type MessageEventName, type WaitMetadata } from './wait.metadata.js';

/** The event that a wait was for. */
export type Answer = Pick<WaitState, 'at' | 'payload'>;

/** Whether what a step waits for has happened, as the store shows it now. */
@Injectable()
export class WaitAnswers {
  constructor(
    private readonly rendering: Rendering,
    private readonly messages: MessageStore,
    private readonly signals: SignalStore,
  ) {}

  /** What finds the signals for this run. @throws {TemplateError} */
  async keysOf({ run, step }: StepTask): Promise<string[]> {
    const { event, match } = step.metadata as WaitMetadata;
    if (match === undefined || match.length === 0) return ownKeys(event, run.record);
    const variables = templateVariables(run);
    return Promise.all(
      match.map(async ({ path, value }) => {
        const rendered = await this.rendering.text(value, variables, environmentOf(run), run.workflow.templateLanguage);
        if (rendered === '') throw new TemplateError(`The value for ${path} is empty: ${value}`);
        return valueKey(event, path, rendered);
      }),
    );
  }

  async find({ run, step }: StepTask, wait: WaitState): Promise<Answer | undefined> {
    const { event, step: of } = step.metadata as WaitMetadata;
    return isMessageEvent(event) ? this.ofMessages(run, event, of) : this.ofSignals(run, wait);
  }

  private async ofSignals({ record, event }: Run, { keys = [] }: WaitState): Promise<Answer | undefined> {
    const { _environmentId, transactionId, subscriberId } = record;
    const since = event.createdAt;
    const query = { environmentId: _environmentId, transactionId, subscriberId, keys, since };
    const signal = await this.signals.find(query);
    return signal && { at: signal.createdAt, payload: signal.payload };
  }

  private async ofMessages(run: Run, event: MessageEventName, of: string | undefined): Promise<Answer | undefined> {
    const ids = sentBefore(run, of).flatMap((state) => messageIdsOf(run, state));
    if (ids.length === 0) return undefined;
    const found = await this.messages.progressOf(tenantOf(run.event), ids);
    const times = found.filter((message) => HAPPENED[event](message)).map((message) => timeOf(event, message));
    if (times.length === 0) return undefined;
    return { at: new Date(Math.min(...times.map((time) => time.getTime()))) };
  }
}

/** The steps before the wait that send messages. @param of `stepId` or `uuid` of one */
function sentBefore({ record, workflow }: Run, of: string | undefined): StepState[] {
  const before = record.steps.slice(0, record.current).filter(({ type }) => isChannel(type));
  if (of === undefined) return before;
  const named = workflow.steps.filter(({ stepId, uuid }) => stepId === of || uuid === of);
  return before.filter((state) => named.some(({ _id }) => _id.equals(state.stepId)));
}

/** A step with several targets has several messages, whose ids name the target. */
function messageIdsOf({ record }: Run, { _id, targets }: StepState): string[] {
  const keys = targets?.map(({ key }) => key) ?? [''];
  return keys.map((target) => messageIdFor({ notificationId: record._id, jobId: _id, target }).toHexString());
}

const AFTER_DELIVERY: ReadonlySet<string> = new Set(['delivered', 'opened', 'clicked', 'complained']);

/** Dates stay when a mark is taken back: what has happened has happened. */
const HAPPENED: Readonly<Record<MessageEventName, (message: MessageProgress) => boolean>> = {
  'message.delivered': ({ channel, status }) => channel === 'in_app' || AFTER_DELIVERY.has(status),
  'message.opened': ({ status }) => status === 'opened' || status === 'clicked',
  'message.seen': ({ seen, lastSeenDate }) => seen || lastSeenDate !== undefined,
  'message.read': ({ read, lastReadDate }) => read || lastReadDate !== undefined,
  'message.clicked': ({ status, cta }) => status === 'clicked' || cta?.action?.status === 'done',
  'message.bounced': ({ status }) => status === 'bounced',
};

function timeOf(event: MessageEventName, message: MessageProgress): Date {
  const { createdAt, updatedAt, lastSeenDate, lastReadDate, lastActionDate, channel } = message;
  if (event === 'message.seen') return lastSeenDate ?? updatedAt;
  if (event === 'message.read') return lastReadDate ?? updatedAt;
  if (event === 'message.clicked') return lastActionDate ?? updatedAt;
  return event === 'message.delivered' && channel === 'in_app' ? createdAt : updatedAt;
}
