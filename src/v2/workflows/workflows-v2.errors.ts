import { defineError } from '#libs/http-kit';

export const ControlsNotServed = defineError(422, 'controls_not_served', (faults: readonly string[]) => [...faults], [
  ['steps.0 is a mail of the block editor; write it again in HTML'],
]);

export const WorkflowBeyondControls = defineError(
  422,
  'workflow_beyond_controls',
  (identifier: string) =>
    `The steps of the workflow '${identifier}' have more than the newer interface can say, such as Handlebars, variants or a type of their own. Change them with PUT /v1/workflows/{workflowId}.`,
  ['order-shipped'],
);
