import type { MissingReference } from '#libs/common';
import { namedReferences } from './portable-steps.js';
import type { WorkflowDefinitionDto } from './workflow-definition.dto.js';

/** What a definition of a workflow names. */
export function neededBy({
  notificationGroup,
  steps,
}: Pick<WorkflowDefinitionDto, 'notificationGroup' | 'steps'>): Pick<MissingReference, 'kind' | 'name'>[] {
  return [{ kind: 'notification-group', name: notificationGroup }, ...namedReferences(steps)];
}
