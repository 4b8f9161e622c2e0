import { definePlugin, defineSettings, defineStep, listenTo, StepError, WorkflowCreated, z } from 'herald/plugin';

const settings = defineSettings({
  TICKETS_URL: z.url('must be the URL of the ticket system'),
});

const createTicket = defineStep({
  type: 'create-ticket',
  // A workflow is refused if `template.input` of such a step does not fit.
  input: z.object({
    title: z.string('must be a text').min(1, 'must not be empty').max(200, 'must have at most 200 characters'),
    priority: z.enum(['low', 'high'], 'must be low or high').default('low'),
  }),

  async run({ input, idempotencyKey, mayHaveRun, http, signal, subscriber, note }) {
    if (mayHaveRun) note('Ticket asked for again', { raw: { idempotencyKey } });
    const response = await http.request({
      url: `${settings.get('TICKETS_URL')}/tickets`,
      // The operator has set the address, so it may be private.
      trusted: true,
      // The ticket system opens one ticket for a key.
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ ...input, reporter: subscriber.subscriberId }),
      signal,
    });
    const { status } = response;
    if (status >= 500) throw new StepError(`The ticket system answered ${status}.`);
    if (status >= 400) throw new StepError(`The ticket system refused the ticket: ${status}.`, { retryable: false });
    const { id } = response.json();
    note('Ticket opened', { status: 'Success', raw: { ticket: id } });
    // {{step.outputs.ticket.id}} in later steps, if `ticket` is the uuid of this one.
    return { status: 'completed', output: { id } };
  },
});

export default definePlugin({
  name: 'herald-plugin-example-step',
  apiVersion: 1,
  settings,
  steps: [createTicket],
  operators: {
    STARTS_WITH: (found, expected) => typeof found === 'string' && found.startsWith(String(expected)),
  },
  listeners: [
    listenTo(WorkflowCreated, ({ workflowId }) => process.stderr.write(`tickets: workflow ${workflowId} is new\n`)),
  ],
});
