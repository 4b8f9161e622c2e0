import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { dataOf, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { newIdempotencyKey } from '../api/new-key.js';
import { useApi } from '../session.js';
import { TextField } from '../ui/fields.js';
import { Failed } from '../ui/states.js';
import type { Step, Workflow } from './workflow-words.js';

interface Props {
  readonly workflow: Workflow;
  readonly step: Step;
  /** Payload, subscriber, tenant and variant of the preview. */
  readonly sample: Schemas['PreviewStepDto'];
  readonly isFaulty: boolean;
  /** The preview shows texts that are not stored. */
  readonly isDraft: boolean;
}

type Sent = Schemas['TestSendResponse'];

/** Sends the step for real, to an address of one's own or to a subscriber. */
export function TestSend({ workflow, step, sample, isFaulty, isDraft }: Props): VNode {
  const api = useApi();
  const { type } = step.template;
  const hasAddress = type === 'email' || type === 'sms';
  const [to, setTo] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [sent, setSent] = useState<Sent>();
  const [failure, setFailure] = useState<Failure>();
  const subscriber = typeof sample.subscriber === 'string' ? sample.subscriber : undefined;
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    setSent(undefined);
    const params = {
      path: { workflowId: workflow._id, stepId: step._id },
      header: { 'Idempotency-Key': newIdempotencyKey() },
    };
    const body = { ...sample, ...(hasAddress && to !== '' && { to }) };
    try {
      setSent(await dataOf(api.POST('/v1/workflows/{workflowId}/steps/{stepId}/test', { params, body })));
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  const target = hasAddress && to !== '' ? to : subscriber;
  const isReady = !isBusy && !isFaulty && target !== undefined;
  const button = target === undefined ? 'Send a test' : `Send a test to ${target}`;
  return (
    <section class="panel" aria-labelledby="test-heading">
      <h2 id="test-heading">Test send</h2>
      <form class="form" onSubmit={(event) => void send(event)}>
        {hasAddress && (
          <TextField
            label={type === 'email' ? 'Your email address' : 'Your phone number'}
            type={type === 'email' ? 'email' : 'text'}
            placeholder={type === 'email' ? 'you@example.com' : '+15550100'}
            value={to}
            onChange={(text) => setTo(text.trim())}
          />
        )}
        <Explained hasAddress={hasAddress} />
        {isDraft && <p class="notice warn">The test uses the saved texts, not the texts you are trying.</p>}
        {failure && <Failed failure={failure} />}
        <Accepted sent={sent} />
        <div>
          <ActionButton needs="testStep" type="submit" class="primary" disabled={!isReady}>
            {isBusy ? 'Sending…' : button}
          </ActionButton>
          {target === undefined && (
            <p class="note">
              {hasAddress ? 'Enter an address here, or a subscriber above.' : 'Enter a subscriber above.'}
            </p>
          )}
        </div>
      </form>
    </section>
  );
}

function Explained({ hasAddress }: { hasAddress: boolean }): VNode {
  return (
    <p class="note">
      {hasAddress
        ? 'Sends this step with the payload above to this address. If the address is empty, it is sent to the subscriber above.'
        : 'Sends this step with the payload above to the subscriber above, who must exist.'}{' '}
      Conditions and preferences do not apply. The message is real and is marked as a test in Activity.
    </p>
  );
}

function Accepted({ sent }: { sent: Sent | undefined }): VNode {
  return (
    <div aria-live="polite">
      {sent && (
        <p class="notice good">
          <span>
            The test was accepted. <Link href={`/notifications/${sent.notificationId}`}>View notification</Link>
          </span>
        </p>
      )}
    </div>
  );
}
