import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { DEFINITION_KINDS, type DefinitionKind } from '#libs/common';
import { shown, type AuditTold } from '#libs/http-kit';
import { showDifference, workflowDifferences, WorkflowDifferenceResponse } from '../workflows/index.js';
import {
  keyOf,
  type PlannedChange,
  type PromotionOutcome,
  type PromotionPlan,
  PROMOTION_OUTCOMES,
} from './promotion-plan.js';

const DEFINITION = { type: 'object', additionalProperties: true, nullable: true } as const;

/** A record that a promotion changes. */
export class PromotedChangeResponse {
  /** Names it in `leaveOut`. @example workflow/order-shipped */
  key: string;
  /** What it is. */
  @ApiProperty({ enum: DEFINITION_KINDS, example: 'workflow' })
  kind: DefinitionKind;
  /** Its name or identifier, which is the same in both environments. @example order-shipped */
  name: string;
  /** What is done in your environment. Nothing is deleted without `prune`. */
  @ApiProperty({ enum: PROMOTION_OUTCOMES, example: 'updated' })
  outcome: PromotionOutcome;
  /** The definition in your environment; null if there is none. */
  @ApiProperty(DEFINITION)
  before: object | null;
  /** The definition in the source; null if it is deleted. */
  @ApiProperty(DEFINITION)
  after: object | null;
  /** What differs between the two. */
  @ApiProperty({ type: () => [WorkflowDifferenceResponse] })
  differences: WorkflowDifferenceResponse[];
  /** Workflows: number of the version in the source. @example 7 */
  @ApiPropertyOptional({ type: 'integer' })
  sourceVersion?: number;
  /** Workflows: number of the version in your environment, after a promotion the new one. @example 4 */
  @ApiPropertyOptional({ type: 'integer' })
  version?: number;
}

/** A record that cannot be promoted. */
export class PromotionRefusalResponse {
  /** Names it in `leaveOut`. @example workflow-override/order-shipped for acme */
  key: string;
  /** What it is. */
  @ApiProperty({ enum: DEFINITION_KINDS, example: 'workflow-override' })
  kind: DefinitionKind;
  /** Its name or identifier. @example order-shipped for acme */
  name: string;
  /** Why. @example workflow override order-shipped for acme: tenant must be the identifier of a tenant */
  fault: string;
}

/** What a promotion would change. */
export class PromotionPreviewResponse {
  /** Name of the environment that is promoted from. @example Development */
  from: string;
  /** Names what was compared: send it to promote exactly this. @example 4kZq0nVJxk2dS7rTgYw1uPqLbEoHfMcAi9XzN3vRe8s */
  digest: string;
  /** In the order in which it is done. */
  @ApiProperty({ type: () => [PromotedChangeResponse] })
  changes: PromotedChangeResponse[];
  /** Number of records that are the same in both environments. @example 12 */
  @ApiProperty({ type: 'integer' })
  unchanged: number;
  /** Why it cannot be promoted, such as an override for a tenant that your environment does not have. */
  @ApiProperty({ type: [String], example: [] })
  faults: string[];
  /** The records that `faults` are about. Send their keys as `leaveOut` to promote the rest. */
  @ApiProperty({ type: () => [PromotionRefusalResponse] })
  refusals: PromotionRefusalResponse[];
}

/** What a promotion has changed. */
export class PromotionResponse {
  /** Name of the environment that was promoted from. @example Development */
  from: string;
  /** What is done. */
  @ApiProperty({ type: () => [PromotedChangeResponse] })
  changes: PromotedChangeResponse[];
  /** Why it ended before the rest, which a further promotion completes. Absent: everything is done. */
  @ApiPropertyOptional({ example: 'layout company: The layout is in use.' })
  fault?: string;
}

export function showPreview({ from, digest, changes, unchanged, refusals }: PromotionPlan): PromotionPreviewResponse {
  return shown(PromotionPreviewResponse, {
    from: from.name,
    digest,
    changes: changes.map(showChange),
    unchanged,
    faults: refusals.map(({ fault }) => fault),
    refusals: refusals.map(({ store, name, fault }) =>
      shown(PromotionRefusalResponse, { key: keyOf(store, name), kind: store.kind, name, fault }),
    ),
  });
}

export function showPromotion(
  { from }: PromotionPlan,
  changes: readonly PlannedChange[],
  fault: string | undefined,
): PromotionResponse {
  return shown(PromotionResponse, {
    from: from.name,
    changes: changes.map(showChange),
    fault,
  });
}

function showChange({ store, name, outcome, ...rest }: PlannedChange): PromotedChangeResponse {
  const { kind } = store;
  const { before, after, sourceVersion, version } = rest;
  const [former, latter] = kind === 'workflow' ? workflowDifferences.named(before, after) : [before, after];
  return shown(PromotedChangeResponse, {
    key: keyOf(store, name),
    kind,
    name,
    outcome,
    before: former,
    after: latter,
    differences: workflowDifferences.of(former, latter).map(showDifference),
    sourceVersion,
    version,
  });
}

/** What the audit log has of a promotion; undefined if it changed nothing. */
export function promotedRecords(response: unknown): AuditTold | undefined {
  if (!(response instanceof PromotionResponse) || response.changes.length === 0) return undefined;
  const before: Record<string, Record<string, unknown>> = {};
  const after: Record<string, Record<string, unknown>> = {};
  for (const change of response.changes) {
    if (change.before !== null) (before[change.kind] ??= {})[change.name] = change.before;
    if (change.after !== null) (after[change.kind] ??= {})[change.name] = change.after;
  }
  return { name: response.from, before, after };
}
