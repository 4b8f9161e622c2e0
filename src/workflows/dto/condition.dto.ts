import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  CONDITION_ON,
  CONDITION_OPERATORS,
  type ConditionOn,
  type ConditionOperator,
  GROUP_TYPES,
  GROUP_VALUES,
  type GroupType,
  type GroupValue,
  PREVIOUS_STEP_TYPES,
  type PreviousStepType,
  TIME_OPERATORS,
  type TimeOperator,
} from '#libs/conditions';

/** One comparison. Which fields are needed follows from `on`. */
export class ConditionDto {
  /** What the condition reads. Absent: the payload. */
  @ApiPropertyOptional({ enum: CONDITION_ON, example: 'payload' })
  on?: ConditionOn;

  /**
   * Dotted path below what `on` names, or in the JSON answer of the webhook.
   * @example order.total
   */
  field?: string;

  /** How the field is compared with the value. */
  @ApiPropertyOptional({ enum: CONDITION_OPERATORS, example: 'LARGER' })
  operator?: ConditionOperator;

  /** What to compare with; texts may hold template expressions. A list for `ALL_IN`, `ANY_IN`, `NOT_IN` and `BETWEEN`. */
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: {} }],
    nullable: true,
    example: '50',
  })
  value?: unknown;

  /** With `webhook`: the address whose answer is read. */
  webhookUrl?: string;

  /** With `isOnlineInLast`: the unit of the value. */
  @ApiPropertyOptional({ enum: TIME_OPERATORS })
  timeOperator?: TimeOperator;

  /** With `previousStep`: the `uuid` of an earlier step. */
  step?: string;

  /** With `previousStep`: the state that the message of that step must have. */
  @ApiPropertyOptional({ enum: PREVIOUS_STEP_TYPES })
  stepType?: PreviousStepType;
}

/** Conditions that are joined by `value`. */
export class ConditionGroupDto {
  /** Inverts the result of the group. */
  isNegated?: boolean;

  /** A hint for editors; evaluation does not depend on it. */
  @ApiPropertyOptional({ enum: GROUP_TYPES, example: 'BOOLEAN' })
  type?: GroupType;

  /** Whether all conditions must pass, or one of them. */
  @ApiPropertyOptional({ enum: GROUP_VALUES, example: 'AND' })
  value?: GroupValue;

  /** The conditions. */
  @ApiProperty({ type: () => [ConditionDto] })
  children: ConditionDto[];
}
