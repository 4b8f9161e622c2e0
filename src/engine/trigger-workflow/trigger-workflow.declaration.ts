import type { StepTypeDeclaration } from '#libs/plugins';
import { template } from '#libs/templates';
import { inForm, list } from '#libs/validation';
import { z } from 'zod';

const MAX_RECIPIENTS = 100;
const MAX_LENGTH = 1_000;
const MAX_DATA_LENGTH = 32_768;

/** How many workflows one event may start one after the other. */
export const MAX_DEPTH = 10;

const WRONG_RECIPIENTS = `must be an array of at most ${MAX_RECIPIENTS} ids of subscribers`;
const WRONG_DATA = 'must be an object';

const members = {
  workflow: inForm(
    template(MAX_LENGTH).min(1, { error: 'must not be empty: it is the trigger identifier of a workflow' }),
    { title: 'Workflow', help: 'The workflow to start.', control: 'workflow' },
    { description: 'Trigger identifier of the workflow to start; a template.', example: 'order-follow-up' },
  ),
  recipients: inForm(
    list(template(MAX_LENGTH).min(1, { error: 'must not be empty' }), {
      min: 1,
      max: MAX_RECIPIENTS,
      error: WRONG_RECIPIENTS,
    }).nullish(),
    {
      title: 'Recipients',
      help: 'Ids of the subscribers whom it is started for. Left empty, it is the subscriber of this notification.',
    },
    {
      description:
        'Ids of the subscribers that it is started for; templates. Default: the subscriber of this notification.',
      example: ['{{order.sellerId}}'],
    },
  ),
  data: inForm(
    z
      .record(z.string(), z.unknown(), { error: WRONG_DATA })
      .refine((data) => JSON.stringify(data).length <= MAX_DATA_LENGTH, {
        error: `must be at most ${MAX_DATA_LENGTH} characters as JSON`,
      })
      .nullish(),
    {
      title: 'Data',
      help: 'The values that the other workflow gets. Left empty, it gets those of this event.',
      control: 'json',
    },
    {
      description: 'Payload of the new event; its texts are templates. Default: the payload of this event.',
      example: { orderId: '{{order.id}}' },
    },
  ),
};

export type TriggerWorkflowInput = z.infer<z.ZodObject<typeof members>>;

export const triggerWorkflow = {
  type: 'trigger_workflow',
  group: 'action',
  label: 'Start a workflow',
  description: 'Starts another workflow, for the same subscriber or for others.',
  summary: [
    { text: 'Starts the workflow {template.workflow} for {template.recipients}.' },
    { text: 'Starts the workflow {template.workflow}.' },
    { text: 'Starts another workflow.' },
  ],
  lane: 'plugin',
  canHaveVariants: true,
  template: members,
  needs: ({ template: { workflow, recipients, data } }) => ({ texts: [workflow, recipients, data] }),
  trail: {
    started: { text: 'Another workflow is to be started', status: 'Pending' },
    completed: { text: 'Another workflow was started', status: 'Success' },
    retried: { text: 'Another workflow could not be started and will be tried again', status: 'Warning' },
    failed: { text: 'Another workflow was not started', status: 'Failed' },
  },
  reasons: {
    workflow_not_started: {
      title: 'The other workflow was not started',
      remedy: 'Correct the step or the workflow that it names, then replay the notification.',
    },
    workflow_chain_too_long: {
      title: 'Too many workflows have started each other',
      remedy: `One event starts at most ${MAX_DEPTH} workflows one after the other. Look for workflows that start themselves.`,
    },
  },
} satisfies StepTypeDeclaration;
