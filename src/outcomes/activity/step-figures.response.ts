import { ApiProperty } from '@nestjs/swagger';
import { STEP_TYPES } from '#libs/plugins';

/** What became of messages. */
export class MessageFiguresResponse {
  /** All that were sent, or stored for the inbox. @example 5013 */
  messages: number;
  /** Those that a provider reported as delivered, or that were opened or used. @example 4990 */
  delivered: number;
  /** Those that were seen in the inbox, or opened. @example 2410 */
  seen: number;
  /** Those that were read in the inbox. @example 1200 */
  read: number;
  /** Those of which a link or a button was used. @example 310 */
  clicked: number;
}

/** What became of those who took an arm. */
export class ArmResponse extends MessageFiguresResponse {
  /** Name of the arm. @example A */
  name: string;
  /** Notifications that took it. @example 5021 */
  runs: number;
}

/** What became of a step, in the notifications that reached it. */
export class StepFiguresResponse extends MessageFiguresResponse {
  /** Id of the step. */
  _id: string;
  /** Identifies the step in conditions of later steps. */
  uuid: string;
  /** Name of the step. @example Subject line */
  name?: string;
  /** Type of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES.names, example: 'email' })
  type: string;
  /** It did what it is for. @example 5013 */
  completed: number;
  /** Conditions, preferences or rules refused it, or the event went into the digest of another notification. @example 120 */
  skipped: number;
  /** It could not do what it is for. @example 8 */
  failed: number;
  /** It was canceled, or an earlier step ended the notification. @example 0 */
  canceled: number;
  /** It waits, or is carried out now. @example 12 */
  waiting: number;
  /** Of the types branch and split: its arms, and those that earlier versions of the workflow had. */
  @ApiProperty({ type: [ArmResponse] })
  arms?: ArmResponse[];
}

/** Figures of the steps of a workflow. */
export class WorkflowFiguresResponse {
  /** What was created before does not count. */
  since: Date;
  /**
   * False if there were more than 100,000 notifications of the workflow, or messages of the environment: `since` is later then, and the
   * newest count.
   */
  isComplete: boolean;
  /** The version that was asked for; absent if all count. @example 4 */
  version?: number;
  /** The steps of the workflow as it is now, or as that version has them, in order. */
  @ApiProperty({ type: [StepFiguresResponse] })
  steps: StepFiguresResponse[];
}
