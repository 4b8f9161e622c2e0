import { ApiProperty } from '@nestjs/swagger';
import { type Channel, CHANNELS } from '#libs/channels';
import { shown } from '#libs/http-kit';
import { STEP_TYPES, type StepType } from '../delivery/index.js';
import type { RunOutcome } from './run-outcome.js';

/** A step that would not send, and why. */
export class ImpactUnsentStepResponse {
  /** Name of the step. @example Tell the customer */
  name?: string;
  /** Type of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES, example: 'email' })
  type: StepType;
  /** Why, as in a notification. @example conditions */
  reason: string;
  /** The reason in words. @example A step condition was not met */
  title?: string;
}

/** What a subscriber would get of an event. */
export class ImpactOutcomeResponse {
  /** The channels of the messages, one for each message, in their order. */
  @ApiProperty({ enum: CHANNELS, isArray: true, example: ['in_app', 'email'] })
  channels: Channel[];
  /** The steps that would send nothing. */
  @ApiProperty({ type: [ImpactUnsentStepResponse] })
  unsent: ImpactUnsentStepResponse[];
  /** Whether the event would be part of a digest that collects already. */
  joinsDigest: boolean;
  /** Values that the payload lacks: the event would be refused. @example ["plan (Value)"] */
  missing: string[];
}

/** A notification whose subscriber would get another result. */
export class ImpactChangeResponse {
  /** Record id of the notification. */
  notificationId: string;
  /** Your identifier of the subscriber. @example ada */
  subscriberId: string;
  /** With the workflow as it is stored. */
  before: ImpactOutcomeResponse;
  /** With the change. */
  after: ImpactOutcomeResponse;
}

/** What a change of a workflow would have made of notifications of the last seven days. */
export class ImpactResponse {
  /** Since when notifications are looked at. */
  since: Date;
  /** Notifications of the workflow since then, counted up to 100,000. @example 20119 */
  total: number;
  /**
   * How many of them all answers together look at: all, or an even sample of 2,000 at most.
   * @example 1829
   */
  sample: number;
  /** How many of the sample this answer has looked at. @example 100 */
  lookedAt: number;
  /**
   * How many of these say nothing: test sends, those whose event or subscriber is no longer stored, and those that depend on
   * the answer of a webhook, which is not asked.
   * @example 0
   */
  notCompared: number;
  /** Those with another result: other channels, a digest in place of a message, or an event that would be refused. */
  @ApiProperty({ type: [ImpactChangeResponse] })
  changes: ImpactChangeResponse[];
  /** How many have the same messages, and another reason for what is not sent. @example 0 */
  otherReasons: number;
  /** How many have the same messages with other texts. @example 40 */
  otherTexts: number;
  /** How many have the same messages, a minute or more earlier or later. @example 0 */
  otherTimes: number;
  /** The `cursor` of the request that goes on. Absent when everything was looked at. */
  next?: string;
}

export function showImpactOutcome({ messages, unsent, joinsDigest, missing }: RunOutcome): ImpactOutcomeResponse {
  return shown(ImpactOutcomeResponse, {
    channels: messages.map(({ channel }) => channel),
    unsent: unsent.map(({ name, type, reason, title }) =>
      shown(ImpactUnsentStepResponse, {
        name,
        type,
        reason,
        title,
      }),
    ),
    joinsDigest,
    missing: [...missing],
  });
}
