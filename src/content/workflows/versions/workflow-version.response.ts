import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import { type LastChange, WORKFLOW_ACTIONS, type WorkflowAction } from '../workflow.schema.js';
import { WorkflowDefinitionDto } from '../workflow-definition.dto.js';
import { type Difference, DIFFERENCE_KINDS } from './differences.js';
import type { VersionSummary } from '../workflow-history.js';

/** A saved state of a workflow. */
export class WorkflowVersionResponse {
  /** Number of the version, which is `__v` of the workflow. Numbers can be missing. @example 4 */
  version: number;
  /** Whether the workflow is in this state now. */
  isCurrent: boolean;
  /** Display name that the workflow had. @example Order shipped */
  name: string;
  /** When this state was saved. */
  savedAt: Date;
  /**
   * What saved it: a request that created or updated the workflow, switched it on or off, applied a definition (as `herald push` does), promoted it from
   * another environment, or restored a former version. Absent for states that were saved before versions were recorded.
   */
  @ApiPropertyOptional({ enum: WORKFLOW_ACTIONS, example: 'updated' })
  action?: WorkflowAction;
  /** Id of the API key that saved it, or of the person who did. */
  apiKeyId?: string;
  /** Name of that API key or person. @example production backend */
  apiKeyName?: string;
  /** The note that was sent with the change. @example Shorter subject */
  note?: string;
  /** With the action `restored`: the version that was restored. */
  restoredVersion?: number;
}

export interface VersionKnown {
  readonly isCurrent: boolean;
  readonly keyNames: ReadonlyMap<string, string>;
}

export function showVersion(row: VersionSummary, known: VersionKnown): WorkflowVersionResponse {
  return shown(WorkflowVersionResponse, versionFields(row, known));
}

// Inferred, so that callers check every field.
function versionFields({ __v: version, name, updatedAt, lastChange }: VersionSummary, known: VersionKnown) {
  return { version, isCurrent: known.isCurrent, name, savedAt: updatedAt, ...changeFields(lastChange, known) };
}

function changeFields(change: LastChange | undefined, { keyNames }: VersionKnown) {
  if (change === undefined) return {};
  const { action, apiKeyId, note, restoredVersion } = change;
  const apiKeyName = keyNames.get(apiKeyId);
  return {
    action,
    apiKeyId,
    apiKeyName,
    note,
    restoredVersion,
  };
}

const ANY_VALUE = [
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'object', additionalProperties: true },
  { type: 'array', items: {} },
];

/** A difference between two versions. */
export class WorkflowDifferenceResponse {
  /** The names that lead to the value in `definition`; steps and variants are named by their `uuid`. */
  @ApiProperty({ type: [String], example: ['steps', 'mail', 'template', 'subject'] })
  path: string[];
  /** `moved`: the same entries in another order, which `before` and `after` list by `uuid`. */
  @ApiProperty({ enum: DIFFERENCE_KINDS, example: 'changed' })
  kind: Difference['kind'];
  /** The value before; absent if there was none. */
  @ApiPropertyOptional({ oneOf: ANY_VALUE, example: 'Your order' })
  before?: unknown;
  /** The value after; absent if there is none. */
  @ApiPropertyOptional({ oneOf: ANY_VALUE, example: 'Your order {{order.number}}' })
  after?: unknown;
}

/** A saved state of a workflow, and how it differs from another one. */
export class WorkflowVersionDetailsResponse extends WorkflowVersionResponse {
  /** The workflow without ids, as files have it. */
  @ApiProperty({ type: () => WorkflowDefinitionDto })
  definition: WorkflowDefinitionDto;
  /** The version that `differences` begin from; null for the first version that is stored. */
  @ApiProperty({ type: 'integer', nullable: true, example: 3 })
  since: number | null;
  /** What differs from the version `since`. Empty if that is null. */
  @ApiProperty({ type: () => [WorkflowDifferenceResponse] })
  differences: WorkflowDifferenceResponse[];
}

export interface ComparedVersion extends VersionKnown {
  readonly definition: WorkflowDefinitionDto;
  readonly since: number | null;
  readonly differences: readonly Difference[];
}

export function showVersionDetails(row: VersionSummary, compared: ComparedVersion): WorkflowVersionDetailsResponse {
  const { definition, since, differences } = compared;
  return shown(WorkflowVersionDetailsResponse, {
    ...versionFields(row, compared),
    definition,
    since,
    differences: differences.map(showDifference),
  });
}

export function showDifference({ path, kind, before, after }: Difference): WorkflowDifferenceResponse {
  return shown(WorkflowDifferenceResponse, {
    path: [...path],
    kind,
    before,
    after,
  });
}
