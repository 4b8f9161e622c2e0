import { definePlugin, defineSettings, defineStep, StepError, z } from 'herald/plugin';

const settings = defineSettings({
  __constant___URL: z.url('must be the URL of the service'),
});

const __name__ = defineStep({
  type: '__file__',
  // A workflow is refused if `template.input` of such a step does not fit.
  input: z.object({
    text: z
      .string('must be a text')
      .min(1, 'must not be empty')
      .max(1000, 'must have at most 1,000 characters')
      .describe('What is sent to the service'),
  }),

  async run({ input, idempotencyKey, http, signal, subscriber, note }) {
    const response = await http.request({
      url: settings.get('__constant___URL'),
      // The operator has set the address, so it may be private.
      trusted: true,
      // A step is carried out at least once; the same key makes its effect happen once.
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify({ ...input, subscriberId: subscriber.subscriberId }),
      signal,
    });
    const { status } = response;
    if (status >= 500) throw new StepError(`The service answered ${status}.`);
    if (status >= 400) throw new StepError(`The service refused the request: ${status}.`, { retryable: false });
    note('Service called', { status: 'Success', raw: { id: response.json().id } });
  },
});

export default definePlugin({ name: '__package__', apiVersion: __apiVersion__, settings, steps: [__name__] });
