import { Injectable } from '@nestjs/common';
import { timeOrderedUuid, type TenantContext } from '#libs/common';
import { isGiven } from '#libs/validation';
import { type TestSample, TestSends } from '../delivery/index.js';
import { eventOf } from '../events/index.js';
import { StepNotTestable } from './previews.errors.js';
import type { TestStepDto } from './step-preview.dto.js';
import { showTestSend, type TestSendResponse } from './step-preview.response.js';
import { type StepSample, StepSamples } from './step-samples.js';

/** Fields of subscriber and payload that hold the address. */
const ADDRESS_FIELDS = { email: 'email', sms: 'phone' } as const;
const CHANNELS: ReadonlySet<string> = new Set(['in_app', 'email', 'sms', 'chat', 'push']);

@Injectable()
export class TestSendsService {
  constructor(
    private readonly samples: StepSamples,
    private readonly sends: TestSends,
  ) {}

  /**
   * Resolves when the test is stored.
   * @throws what {@link StepSamples.read} throws @throws {StepNotTestable}
   */
  async send(
    caller: TenantContext,
    path: { readonly workflowId: string; readonly stepId: string },
    dto: TestStepDto,
  ): Promise<TestSendResponse> {
    const read = await this.samples.read(caller, path, dto);
    const { workflow, step } = read;
    const { subscriber, overlay, payload } = addressed(read, dto);
    const { isStored: _isStored, workflow: _workflow, step: _step, subscriber: _subscriber, ...rest } = read;
    const sample: TestSample = { ...rest, ...((overlay || isGiven(dto.locale)) && { subscriber }) };
    const transactionId = timeOrderedUuid();
    const event = eventOf(caller, workflow, {
      transactionId,
      recipients: { list: [{ subscriberId: subscriber.subscriberId }], topics: [] },
      payload,
    });
    const integrationIdentifier = dto.integrationIdentifier || undefined;
    if (integrationIdentifier !== undefined) event.overrides = { [typeOf(step)]: { integrationIdentifier } };
    const notificationId = await this.sends.send({ event, sample, workflow, stepId: step.id, subscriber });
    return showTestSend(transactionId, notificationId);
  }
}

function typeOf({ template }: StepSample['step']): string {
  return String(template['type']);
}

/**
 * Replaces every address of the channel.
 * @throws {StepNotTestable} when the step does not send, or has no recipient
 */
function addressed(
  { step, subscriber, isStored }: StepSample,
  dto: TestStepDto,
): { readonly subscriber: StepSample['subscriber']; readonly overlay: boolean; readonly payload: object } {
  const type = typeOf(step);
  const payload = dto.payload ?? {};
  const to = dto.to?.trim() || undefined;
  if (!CHANNELS.has(type)) throw new StepNotTestable(`A step of the type ${type} sends nothing.`);
  if (!step.active)
    throw new StepNotTestable('The step is not active. Switch it on with PUT /v1/workflows/{workflowId}.');
  if (type !== 'email' && type !== 'sms') {
    if (to !== undefined)
      throw new StepNotTestable(`A step of the type ${type} has no single address. Leave out 'to'.`);
    if (!isStored) throw new StepNotTestable(`Name a stored subscriber: a step of the type ${type} uses its channels.`);
    return { subscriber, overlay: false, payload };
  }
  if (to === undefined) {
    if (dto.subscriber === undefined || dto.subscriber === null)
      throw new StepNotTestable("There is no address. Send 'to' or 'subscriber'.");
    return { subscriber, overlay: !isStored, payload };
  }
  const field = ADDRESS_FIELDS[type];
  // An address in the payload would win over the subscriber's.
  const replaced = Object.hasOwn(payload, field) ? { ...payload, [field]: to } : payload;
  return { subscriber: { ...subscriber, [field]: to, badAddresses: {} }, overlay: true, payload: replaced };
}
