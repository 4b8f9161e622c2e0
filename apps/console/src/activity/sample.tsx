import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { type Api, bodyOf, dataOf, type Schemas } from '../api/client.js';
import { ApiFailure, type Failure, toFailure } from '../api/failure.js';
import { newIdempotencyKey } from '../api/new-key.js';
import { type Session, useSession } from '../session.js';
import { Failed } from '../ui/states.js';

const NAME = 'Sample: welcome';
const IDENTIFIER = 'sample-welcome';
/** Seconds. */
const PATIENCE = 15;
const PENDING: Failure = {
  status: 0,
  code: 'sample_pending',
  texts: ['The sample is accepted and not delivered yet.'],
  advice: 'Reload this page in a moment. If nothing appears, look at Health: no process may be delivering.',
};

/** Makes a sample workflow, sends it to whoever is signed in, and opens the notification with its trail. */
export function SendSample(): VNode {
  const session = useSession();
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const send = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      navigate(`/notifications/${await sendSample(session)}`);
    } catch (error) {
      setFailure(toFailure(error));
      setBusy(false);
    }
  };
  return (
    <>
      <p>
        Or begin with a sample: a workflow that sends a message to your Inbox, and an email if an integration can send
        it.
      </p>
      <ActionButton needs="createWorkflow" class="primary" disabled={isBusy} onClick={() => void send()}>
        Send a sample to myself
      </ActionButton>
      {failure && <Failed failure={failure} />}
    </>
  );
}

/** @returns the id of the notification */
async function sendSample({ api, person }: Session): Promise<string> {
  const workflow = (await findSample(api)) ?? (await createSample(api, person !== undefined));
  const transactionId = `sample-${newIdempotencyKey()}`;
  const to = person
    ? { subscriberId: person.known.email, email: person.known.email, firstName: person.known.name }
    : { subscriberId: 'sample', firstName: 'Sample' };
  const name = workflow.triggers[0]?.identifier ?? IDENTIFIER;
  await dataOf(api.POST('/v1/events/trigger', { body: { name, to, transactionId, payload: { product: 'Herald' } } }));
  const params = { path: { transactionId }, query: { wait: PATIENCE } };
  await dataOf(api.GET('/v1/events/trigger/{transactionId}', { params }));
  const { data } = await bodyOf(api.GET('/v1/notifications', { params: { query: { page: 0, transactionId } } }));
  const [made] = data;
  if (made?._id === undefined) throw new ApiFailure(PENDING);
  return made._id;
}

async function findSample(api: Api): Promise<Schemas['WorkflowSummaryResponse'] | undefined> {
  const query = { page: 0, limit: 20, query: IDENTIFIER };
  const { data } = await bodyOf(api.GET('/v1/workflows', { params: { query } }));
  return data.find(({ triggers, active }) => triggers[0]?.identifier === IDENTIFIER && active);
}

/** With an email only if something can send it. */
async function createSample(api: Api, isToPerson: boolean): Promise<Schemas['WorkflowResponse']> {
  const integrations = await dataOf(api.GET('/v1/integrations/active'));
  const hasEmail = isToPerson && integrations.some(({ channel }) => channel === 'email');
  const message = {
    name: 'Message',
    template: { type: 'in_app' as const, content: 'Hello {{subscriber.firstName}}, welcome to {{product}}.' },
  };
  const email = {
    name: 'Email',
    template: {
      type: 'email' as const,
      subject: 'Welcome to {{product}}',
      contentType: 'customHtml' as const,
      content: '<p>Hello {{subscriber.firstName}},</p><p>this is the first message of {{product}} to you.</p>',
    },
  };
  const steps = hasEmail ? [message, email] : [message];
  return dataOf(api.POST('/v1/workflows', { body: { name: NAME, active: true, tags: ['sample'], steps } }));
}
