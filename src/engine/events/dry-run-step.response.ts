import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ConditionRecord, ConditionResult } from '#libs/conditions';
import { apiOf, shown } from '#libs/http-kit';
import { STEP_TYPES } from '#libs/plugins';
import {
  type BudgetVerdict,
  type ConsideredIntegration,
  type RehearsedStep,
  STEP_STATUSES,
  type StepStatus,
  type StepType,
} from '../delivery/index.js';
import {
  explanationOf,
  ExplanationResponse,
  ForeseenDetailResponse,
  showForeseenDetail,
} from '../execution-details/index.js';
import { DryRunMessageResponse, showDryRunMessages } from './dry-run-message.response.js';

/** One condition with its value. */
export class EvaluatedConditionResponse {
  /** What the condition reads. @example Payload */
  filter: string;
  /** Path of the value. @example order.total */
  field: string;
  /** How the values are compared. @example LARGER */
  operator: string;
  /** The value to compare with, rendered. @example 50 */
  expected: string;
  /** The value that was found; `undefined` if there is none. @example 99.5 */
  actual: string;
  /** Result of the comparison. */
  passed: boolean;
}

/** Conditions in the order in which they were evaluated. Groups after the first one that passes are not evaluated. */
export class EvaluatedConditionsResponse {
  /** Whether one of the groups passes. */
  passed: boolean;
  /** The conditions that were evaluated. */
  @ApiProperty({ type: [EvaluatedConditionResponse] })
  conditions: EvaluatedConditionResponse[];
}

function showConditions({ passed, conditions }: ConditionResult): EvaluatedConditionsResponse {
  return shown(EvaluatedConditionsResponse, { passed, conditions: conditions.map(showCondition) });
}

function showCondition({
  filter,
  field,
  operator,
  expected,
  actual,
  passed,
}: ConditionRecord): EvaluatedConditionResponse {
  return shown(EvaluatedConditionResponse, { filter, field, operator, expected, actual, passed });
}

/** A variant whose conditions were evaluated. */
export class EvaluatedVariantResponse {
  /** Id of the variant. */
  variantId: string;
  /** Name of the variant. */
  name?: string;
  conditions: EvaluatedConditionsResponse;
}

const PREFERENCE_SOURCES = ['template', 'workflowOverride', 'subscriber', 'subscriberGlobal'] as const;

/** The decision of the preferences about the channel of a step. */
export class PreferenceDecisionResponse {
  /** Whether the channel may be used. */
  allowed: boolean;
  /** What switches the channel off: the workflow, the override of the tenant, or the subscriber. */
  @ApiPropertyOptional({ enum: PREFERENCE_SOURCES, example: 'subscriberGlobal' })
  source?: (typeof PREFERENCE_SOURCES)[number];
}

/** An active integration that an email or text message could be sent with. */
export class ConsideredIntegrationResponse {
  _id: string;
  /** Identifier of the integration. @example sendgrid-4f1a */
  identifier: string;
  /** Provider of the integration. @example sendgrid */
  providerId: string;
  /** Whether it is among those that are tried; false if the tenant does not meet its conditions. */
  isChosen: boolean;
  /** Absent if the integration has no conditions. */
  conditions?: EvaluatedConditionsResponse;
}

function showIntegration({ integration, isChosen, conditions }: ConsideredIntegration): ConsideredIntegrationResponse {
  const { id, identifier, providerId } = integration;
  return shown(ConsideredIntegrationResponse, {
    _id: id,
    identifier,
    providerId,
    isChosen,
    conditions: conditions && showConditions(conditions),
  });
}

const BUDGET_DECISIONS = ['passed', 'critical', 'dropped', 'held'] as const;

/** What the budgets of the subscriber would decide about the message. Nothing is counted. */
export class DryRunBudgetResponse {
  /** `held`: it would come with the digest of the budget. */
  @ApiProperty({ enum: BUDGET_DECISIONS, example: 'dropped' })
  decision: (typeof BUDGET_DECISIONS)[number];
  /** The budgets that count the message; where it would not be sent, the one that decides. */
  @ApiProperty({ type: () => [BudgetStandingResponse] })
  budgets: BudgetStandingResponse[];
}

/** Where a budget of a subscriber stands. */
export class BudgetStandingResponse {
  /** Name of the budget. @example five-mails-a-day */
  name: string;
  /** Messages in the window, this one included if it would be sent. @example 5 */
  count: number;
  /** How many are sent in a window. @example 5 */
  max: number;
  /** When there is room again; absent while there is. */
  opensAt?: Date;
}

function showBudget(verdict: BudgetVerdict): DryRunBudgetResponse | undefined {
  if (verdict.kind === 'critical') return shown(DryRunBudgetResponse, { decision: 'critical', budgets: [] });
  if (verdict.kind !== 'passed' && verdict.kind !== 'dropped' && verdict.kind !== 'held') return undefined;
  const standings = verdict.kind === 'passed' ? verdict.standings : [verdict.standing];
  const budgets = standings.map(({ name, count, max, opensAt }) =>
    shown(BudgetStandingResponse, { name, count, max, opensAt }),
  );
  return shown(DryRunBudgetResponse, { decision: verdict.kind, budgets });
}

/** What one step would come to. */
export class DryRunStepResponse {
  /** Id of the step. */
  _id: string;
  /** Identifies the step in conditions of later steps. */
  uuid: string;
  /** Name of the step. @example Tell the customer */
  name?: string;
  /** Type of the step. */
  @ApiProperty({ type: 'string', enum: STEP_TYPES.names })
  type: StepType;
  /**
   * The status that the step would end with. Providers are taken to accept messages, and `queued` means that a webhook of a
   * condition failed and would be asked again.
   */
  @ApiProperty({ enum: STEP_STATUSES, example: 'completed' })
  status: StepStatus;
  /** Why the step would not be completed. @example conditions */
  reason?: string;
  /** The reason in words. @example Subscriber does not have an email address */
  error?: string;
  /** Why the step would not send, and what to do about it. */
  explanation?: ExplanationResponse;
  /** When the step would begin; absent if the run would end before. */
  at?: Date;
  /** When a delay, digest or wait would end, a message that waits for a schedule be sent, or a webhook be asked again. */
  until?: Date;
  /** Absent if the step has no conditions or would not be reached. */
  conditions?: EvaluatedConditionsResponse;
  /** Variants whose conditions were evaluated; the first one that passes replaces the content of the step. */
  @ApiProperty({ type: [EvaluatedVariantResponse] })
  variants: EvaluatedVariantResponse[];
  /** Absent if the preferences would not be asked. */
  preference?: PreferenceDecisionResponse;
  /** Whether the schedule of the subscriber lets the message out at that time; absent if it would not be asked. */
  isWithinSchedule?: boolean;
  /** For emails and text messages: the integrations, in the order in which they would be tried. */
  @ApiProperty({ type: [ConsideredIntegrationResponse] })
  integrations: ConsideredIntegrationResponse[];
  /** Absent if no budget counts the message. */
  budget?: DryRunBudgetResponse;
  /** What would be sent. */
  @ApiProperty({ type: [DryRunMessageResponse] })
  messages: DryRunMessageResponse[];
  /** The entries that the trace would have, where providers accept the messages. */
  @ApiProperty({ type: [ForeseenDetailResponse] })
  details: ForeseenDetailResponse[];
}

/** What a type of step shows besides. */
for (const { foreseen = {} } of STEP_TYPES.declarations) {
  for (const [member, schema] of Object.entries(foreseen)) {
    ApiPropertyOptional({ type: Object, ...apiOf(schema) })(DryRunStepResponse.prototype, member);
  }
}

export function showDryRunStep(rehearsed: RehearsedStep): DryRunStepResponse {
  const { step, state, at, until, witness, details } = rehearsed;
  const { conditions, preference, isScheduled, variants, integrations } = witness;
  const budget = witness.budget && showBudget(witness.budget);
  const { status, reason, error } = state;
  const foreseen = details.map(showForeseenDetail);
  const explanation = explanationOf({ status, reason, error, details: foreseen });
  return shown(DryRunStepResponse, {
    _id: step._id.toHexString(),
    uuid: step.uuid,
    name: step.name,
    type: state.type,
    status,
    reason,
    error,
    explanation,
    at,
    until,
    conditions: conditions && showConditions(conditions),
    variants: variants.map(({ id, name, conditions: result }) =>
      shown(EvaluatedVariantResponse, {
        variantId: id,
        name,
        conditions: showConditions(result),
      }),
    ),
    ...(preference && {
      preference: shown(PreferenceDecisionResponse, {
        allowed: preference.allowed,
        ...(!preference.allowed && { source: preference.source }),
      }),
    }),
    isWithinSchedule: isScheduled,
    integrations: integrations.map(showIntegration),
    ...witness.foreseen,
    budget,
    messages: showDryRunMessages(rehearsed),
    details: foreseen,
  });
}
