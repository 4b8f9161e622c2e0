import { faultsOf } from '../support/answers.js';
import { createWorkflow, feedOf, inApp, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { useSession } from '../support/test-api.js';

describe('a step of the type __code__', () => {
  const delivery = useDeliveryApi('__code__');
  const session = useSession(delivery.api);

  it('should render its text for later steps', async () => {
    const { identifier } = await createWorkflow(session, [
      { uuid: 'first', template: { type: '__code__', text: 'Hello {{name}}' } },
      inApp('{{step.outputs.first.text}}'),
    ]);
    await trigger(session, { name: identifier, to: 'ann', payload: { name: 'Ann' } });
    await delivery.drain();
    expect((await feedOf(session, 'ann')).map(({ content }) => content)).toEqual(['Hello Ann']);
  });

  it('should be refused without a text', async () => {
    const body = { name: 'Without a text', steps: [{ template: { type: '__code__', text: '' } }] };
    expect(await faultsOf(session.post('/v1/workflows', body))).toEqual(['steps.0.template.text must not be empty']);
  });
});
