import { ApiProperty, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsName, IsValidBy, IsValidInTurnsBy } from '#libs/http-kit';
import { isObjectId } from '#libs/persistence';
import { openApiOf } from '#libs/validation';
import { OPTION_NAMES } from './options.js';
import { withStepNames } from './portable-steps.js';
import { MAX_STEPS, portableStep, type PortableStep, portableStepFields } from './steps/step.schema.js';
import { validatePortableStepsInTurns } from './steps/validate-steps.js';
import { isReservedIdentifier } from './trigger-identifier.js';
import { CreateWorkflowDto } from './workflow.dto.js';

const STEPS_EXAMPLE = [
  {
    uuid: 'tell-the-customer',
    template: {
      type: 'in_app',
      content: 'Hello {{subscriber.firstName}}, order {{order.number}} is on its way.',
    },
  },
];

/** A workflow without ids. What is absent has its default. */
export class WorkflowDefinitionDto extends PickType(CreateWorkflowDto, [
  ...OPTION_NAMES,
  'active',
  'critical',
  'tags',
  'preferenceSettings',
]) {
  /**
   * Trigger identifier.
   * @example order-shipped
   */
  @IsName()
  @IsValidBy('isTriggerIdentifier', faultsOfIdentifier)
  identifier: string;

  /**
   * Display name.
   * @example "Order shipped"
   */
  @IsName()
  name: string;

  /**
   * Name of the notification group. If several groups have it, the oldest one.
   * @example General
   */
  @IsName()
  notificationGroup: string;

  /** Steps in the order in which they run; at most 200. */
  @ApiProperty({ type: 'array', items: openApiOf(portableStep), maxItems: MAX_STEPS, example: STEPS_EXAMPLE })
  @Transform(({ obj }: { obj: Record<string, unknown> }) => withStepNames(obj['steps']), { toClassOnly: true })
  @IsValidInTurnsBy('arePortableSteps', validatePortableStepsInTurns, portableStepFields)
  steps: PortableStep[];
}

/** Elsewhere, such identifiers would be mistaken for an id or for a path. */
function faultsOfIdentifier(identifier: unknown, property: string): string[] {
  if (typeof identifier !== 'string') return [];
  if (isReservedIdentifier(identifier)) return [`${property} must not be '${identifier}', which is reserved`];
  return isObjectId(identifier) ? [`${property} must not have the form of an id, which is 24 hexadecimal digits`] : [];
}
