import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { type Api, bodyOf, dataOf, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { newIdempotencyKey } from '../api/new-key.js';
import { useSession } from '../session.js';
import { Failed } from '../ui/states.js';

const NAME = 'Sample: every channel';
const IDENTIFIER = 'sample-every-channel';
/** Seconds. */
const PATIENCE = 15;
const RECIPIENT = { subscriberId: 'sample', firstName: 'Sample', email: 'sample@example.com', phone: '+15551230100' };

/** Switches the catcher on, and sends a sample in every channel into it. Not offered in production. */
export function CatchSample({ onCaught }: { readonly onCaught?: () => void }): VNode | null {
  const { api, environment } = useSession();
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  if (environment._parentId !== undefined) return null;
  const send = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await sendSample(api);
      onCaught?.();
      navigate('/catcher?subscriberId=sample');
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  return (
    <>
      <p>
        Or see a sample of an email, an SMS, a chat, a push and an in-app message: the catcher takes them, and nothing
        is sent from then on.
      </p>
      <ActionButton needs="createWorkflow" disabled={isBusy} onClick={() => void send()}>
        Catch a sample in every channel
      </ActionButton>
      {failure && <Failed failure={failure} />}
    </>
  );
}

async function sendSample(api: Api): Promise<void> {
  await dataOf(api.PUT('/v1/catcher', { body: { isOn: true } }));
  const query = { page: 0, limit: 20, query: IDENTIFIER };
  const { data } = await bodyOf(api.GET('/v1/workflows', { params: { query } }));
  const known = data.find(({ triggers, active }) => triggers[0]?.identifier === IDENTIFIER && active);
  const workflow = known ?? (await createSample(api));
  const name = workflow.triggers[0]?.identifier ?? IDENTIFIER;
  const transactionId = `sample-${newIdempotencyKey()}`;
  const body = { name, to: RECIPIENT, transactionId, payload: { product: 'Herald' } };
  await dataOf(api.POST('/v1/events/trigger', { body }));
  const params = { path: { transactionId }, query: { wait: PATIENCE } };
  await dataOf(api.GET('/v1/events/trigger/{transactionId}', { params }));
}

function createSample(api: Api): Promise<Schemas['WorkflowResponse']> {
  const words = 'Hello {{subscriber.firstName}}, welcome to {{product}}.';
  const mail = '<p>Hello {{subscriber.firstName}},</p><p>this is the first message of {{product}} to you.</p>';
  const steps = [
    { template: { type: 'in_app' as const, content: words } },
    {
      template: {
        type: 'email' as const,
        subject: 'Welcome to {{product}}',
        contentType: 'customHtml' as const,
        content: mail,
      },
    },
    { template: { type: 'sms' as const, content: words } },
    { template: { type: 'chat' as const, content: words } },
    { template: { type: 'push' as const, title: 'Welcome to {{product}}', content: words } },
  ];
  return dataOf(api.POST('/v1/workflows', { body: { name: NAME, active: true, tags: ['sample'], steps } }));
}
