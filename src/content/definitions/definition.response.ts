import { ApiProperty } from '@nestjs/swagger';
import { DEFINITION_OUTCOMES, type DefinitionChange, type DefinitionOutcome } from '#libs/common';
import { shown } from '#libs/http-kit';
import { BudgetDto } from '../budgets/index.js';
import { CreateFeedDto } from '../feeds/index.js';
import { LayoutDefinitionDto } from '../layouts/index.js';
import { CreateNotificationGroupDto } from '../notification-groups/index.js';
import { TranslationDefinitionDto } from '../translations/index.js';
import { WorkflowOverrideDefinitionDto } from '../workflow-overrides/index.js';
import { WorkflowDefinitionDto } from '../workflows/index.js';

/** A record that a definition names and that the environment does not have. */
export class MissingReferenceResponse {
  /** Kind of record. */
  @ApiProperty({ enum: ['notification-group', 'feed', 'layout', 'workflow'] })
  kind: 'notification-group' | 'feed' | 'layout' | 'workflow';
  /** Its name or identifier. @example Activities */
  name: string;
  /** Where the definition names it. @example steps.0.template.feed */
  path: string;
}

abstract class ChangeFields {
  /** What was done, or would be done by a request that is no dry run. */
  @ApiProperty({ enum: DEFINITION_OUTCOMES })
  outcome: DefinitionOutcome;
  /** Dry runs only: what the definition names and the environment lacks. Otherwise, that is refused. */
  @ApiProperty({ type: () => [MissingReferenceResponse] })
  missing: MissingReferenceResponse[];
}

/** What became of the definition of a notification group. */
export class NotificationGroupChangeResponse extends ChangeFields {
  /** The former definition; null if there was none. */
  @ApiProperty({ type: () => CreateNotificationGroupDto, nullable: true })
  before: CreateNotificationGroupDto | null;
  /** The definition, without defaults. */
  @ApiProperty({ type: () => CreateNotificationGroupDto })
  after: CreateNotificationGroupDto;
}

/** What became of the definition of a feed. */
export class FeedChangeResponse extends ChangeFields {
  /** The former definition; null if there was none. */
  @ApiProperty({ type: () => CreateFeedDto, nullable: true })
  before: CreateFeedDto | null;
  /** The definition, without defaults. */
  @ApiProperty({ type: () => CreateFeedDto })
  after: CreateFeedDto;
}

/** What became of the definition of a layout. */
export class LayoutChangeResponse extends ChangeFields {
  /** The former definition; null if there was none. */
  @ApiProperty({ type: () => LayoutDefinitionDto, nullable: true })
  before: LayoutDefinitionDto | null;
  /** The definition, without defaults. */
  @ApiProperty({ type: () => LayoutDefinitionDto })
  after: LayoutDefinitionDto;
}

/** What became of the definition of a locale. */
export class TranslationChangeResponse extends ChangeFields {
  /** The former definition; null if there was none. */
  @ApiProperty({ type: () => TranslationDefinitionDto, nullable: true })
  before: TranslationDefinitionDto | null;
  /** The definition, without defaults. */
  @ApiProperty({ type: () => TranslationDefinitionDto })
  after: TranslationDefinitionDto;
}

/** What became of the definition of a workflow. */
export class WorkflowChangeResponse extends ChangeFields {
  /** Number of the stored version, which the list of versions has. Absent: the workflow is not stored. @example 4 */
  version?: number;
  /** The former definition; null if there was none. */
  @ApiProperty({ type: () => WorkflowDefinitionDto, nullable: true })
  before: WorkflowDefinitionDto | null;
  /** The definition, without defaults. */
  @ApiProperty({ type: () => WorkflowDefinitionDto })
  after: WorkflowDefinitionDto;
}

/** What became of the definition of a workflow override. */
export class WorkflowOverrideChangeResponse extends ChangeFields {
  /** The former definition; null if there was none. */
  @ApiProperty({ type: () => WorkflowOverrideDefinitionDto, nullable: true })
  before: WorkflowOverrideDefinitionDto | null;
  /** The definition, without defaults. */
  @ApiProperty({ type: () => WorkflowOverrideDefinitionDto })
  after: WorkflowOverrideDefinitionDto;
}

/** What became of the definition of a budget. */
export class BudgetChangeResponse extends ChangeFields {
  /** The former definition; null if there was none. */
  @ApiProperty({ type: () => BudgetDto, nullable: true })
  before: BudgetDto | null;
  /** The definition, without defaults. */
  @ApiProperty({ type: () => BudgetDto })
  after: BudgetDto;
}

abstract class RecordFields {
  /** Id of the record in this environment. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  id: string;
}

/** A layout without ids. */
export class LayoutRecordResponse extends RecordFields {
  /** The definition, without defaults. */
  @ApiProperty({ type: () => LayoutDefinitionDto })
  definition: LayoutDefinitionDto;
}

/** A locale without ids. */
export class TranslationRecordResponse extends RecordFields {
  /** The definition, without defaults. */
  @ApiProperty({ type: () => TranslationDefinitionDto })
  definition: TranslationDefinitionDto;
}

/** A workflow without ids. */
export class WorkflowRecordResponse extends RecordFields {
  /** Number of the version, which the list of versions has. @example 4 */
  version: number;
  /** The definition, without defaults. */
  @ApiProperty({ type: () => WorkflowDefinitionDto })
  definition: WorkflowDefinitionDto;
}

/** A workflow override without ids. */
export class WorkflowOverrideRecordResponse extends RecordFields {
  /** The definition, without defaults. */
  @ApiProperty({ type: () => WorkflowOverrideDefinitionDto })
  definition: WorkflowOverrideDefinitionDto;
}

/** A budget without ids. */
export class BudgetRecordResponse extends RecordFields {
  /** The definition, without defaults. */
  @ApiProperty({ type: () => BudgetDto })
  definition: BudgetDto;
}

interface ChangeResponse<T> {
  version?: number;
  outcome: DefinitionOutcome;
  before: T | null;
  after: T;
  missing: MissingReferenceResponse[];
}

export function showChange<T>(
  response: new () => ChangeResponse<T>,
  { outcome, before, after, missing, version }: DefinitionChange<T>,
): ChangeResponse<T> {
  return shown(response, {
    version,
    outcome,
    before,
    after,
    missing: missing.map((reference) => shown(MissingReferenceResponse, { ...reference })),
  });
}
