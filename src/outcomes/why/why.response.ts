import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  NOTIFICATION_STATUSES,
  type NotificationStatus,
  STEP_STATUSES,
  STEP_TYPES,
  type StepStatus,
  type StepType,
} from '../../engine/delivery/index.js';
import { WhyBudgetResponse } from './why-budget.response.js';
import { JobConditionResponse } from '../notifications/index.js';

/**
 * `delivered`: every message step was sent or stored; `partly`: some were; `not_delivered`: none was; `waiting`: something is yet to come;
 * `not_triggered`: no event of the workflow reached the subscriber.
 */
export const VERDICTS = ['delivered', 'partly', 'not_delivered', 'waiting', 'not_triggered'] as const;
export type Verdict = (typeof VERDICTS)[number];

export const GATES = ['subscriber', 'workflow', 'trigger'] as const;

/** A gate before the run of a workflow. */
export class WhyGateResponse {
  /** Which gate it is. */
  @ApiProperty({ enum: GATES, example: 'workflow' })
  gate: (typeof GATES)[number];
  /** Whether it let the message through. */
  passed: boolean;
  /** The answer of the gate. @example The workflow 'order-shipped' is active. */
  sentence: string;
}

/** What became of one step. */
export class WhyStepResponse {
  /** Type of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES })
  type: StepType;
  /** Name of the step. @example Tell the customer */
  name?: string;
  /** State of the step. */
  @ApiProperty({ enum: STEP_STATUSES })
  status: StepStatus;
  /**
   * Stable code of the reason why the step was skipped, failed or canceled, or waits for its next attempt.
   * @example conditions
   */
  reason?: string;
  /** What became of the step, in words. @example "Email: skipped. The subscriber disabled this channel for this workflow." */
  sentence: string;
  /** What to do about it. @example Update the integration's credentials, then replay the notification. */
  remedy?: string;
  /** Conditions because of which the step was skipped, with the values that were compared. */
  @ApiProperty({ type: [JobConditionResponse] })
  conditions: JobConditionResponse[];
  @ApiPropertyOptional({
    description: 'The settings of preferences that were compared, as a JSON text.',
    example: '{"email":false}',
  })
  settings?: string;
  /** What budgets of the subscriber decided; absent where none counts the message. */
  budget?: WhyBudgetResponse;
  /** When a step that waits goes on. */
  until?: Date;
}

/** One run of the workflow for the subscriber. */
export class WhyNotificationResponse {
  /** Id of the notification. */
  _id: string;
  /** Transaction id of the event. @example order-4711 */
  transactionId: string;
  /** When the run began. */
  createdAt: Date;
  /** State of the run as a whole. */
  @ApiProperty({ enum: NOTIFICATION_STATUSES })
  status: NotificationStatus;
  /** What became of its messages. */
  @ApiProperty({ enum: VERDICTS, example: 'partly' })
  verdict: Verdict;
  /** The steps in order. */
  @ApiProperty({ type: [WhyStepResponse] })
  steps: WhyStepResponse[];
}

/** Why a subscriber did or did not get something. */
export class WhyResponse {
  /** Your identifier of the subscriber. @example ada */
  subscriberId: string;
  /** The workflow that was asked for. @example order-shipped */
  workflow: string;
  /** The earliest trigger that was looked at. */
  from: Date;
  /** The latest trigger that was looked at. */
  to: Date;
  /** Of the newest notification. */
  @ApiProperty({ enum: VERDICTS, example: 'partly' })
  verdict: Verdict;
  /** The answer in short. @example 1 of 3 messages was sent. SMS: failed. The provider rejected the credentials. */
  sentence: string;
  /** The gates before a run, in order. */
  @ApiProperty({ type: [WhyGateResponse] })
  gates: WhyGateResponse[];
  /** The newest 10, newest first. */
  @ApiProperty({ type: [WhyNotificationResponse] })
  notifications: WhyNotificationResponse[];
}
