import type { Connection } from 'mongoose';
import type { Rendering } from '#libs/templates';
import type { DeliveryQueues } from '../../src/engine/delivery/queues/delivery-queues.js';
import type { SignalStore } from '../../src/engine/delivery/records/signals.js';
import { Throttles } from '../../src/engine/delivery/records/throttles.js';
import type { StepHandler } from '../../src/engine/delivery/run/step-handler.js';
import type { StepGate } from '../../src/engine/delivery/steps/step-gate.js';
import { ThrottleStep } from '../../src/engine/delivery/steps/throttle/throttle.step.js';
import { WaitAnswers } from '../../src/engine/delivery/steps/wait_for_event/wait-answers.js';
import type { MessageStore } from '../../src/engine/messages/store/index.js';

/** The time limit of waits. */
const WAIT_MS = 600_000;

export const GATE = { refuse: () => undefined } as unknown as StepGate;

export function connectionTo(collection: object): Connection {
  return { db: { collection: () => collection } } as unknown as Connection;
}

/** The step as it is, on the collection of a worker. */
export function throttleOn(collection: object, queues: DeliveryQueues): StepHandler {
  return new ThrottleStep(GATE, new Throttles(connectionTo(collection)), queues);
}

export function answersOn(signals: SignalStore): WaitAnswers {
  return new WaitAnswers({} as Rendering, {} as MessageStore, signals);
}

export function metadataOf(type: string, threshold: number): object {
  if (type === 'throttle') return { amount: 1, unit: 'minutes', threshold };
  if (type !== 'wait_for_event') return {};
  return { event: 'go', amount: WAIT_MS / 1_000, unit: 'seconds', onMatch: 'stop', onTimeout: 'continue' };
}
