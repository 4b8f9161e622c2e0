import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { dataOf, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useApi } from '../session.js';
import { Status } from '../ui/status.js';
import type { Integration } from './integration-words.js';

type Check = Schemas['IntegrationCheckResponse'];

/** Asks the provider whether it accepts the credentials, and shows what it said. */
export function CheckCell({ integration }: { integration: Integration }): VNode {
  const api = useApi();
  const [isBusy, setBusy] = useState(false);
  const [check, setCheck] = useState<Check>();
  const [failure, setFailure] = useState<Failure>();
  const run = async (): Promise<void> => {
    setBusy(true);
    setCheck(undefined);
    setFailure(undefined);
    try {
      const params = { path: { integrationId: integration._id } };
      setCheck(await dataOf(api.POST('/v1/integrations/{integrationId}/check', { params })));
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  return (
    <div class="check-cell">
      <ActionButton needs="checkIntegration" class="small" disabled={isBusy} onClick={() => void run()}>
        {isBusy ? 'Checking…' : 'Check'}
        <span class="unseen"> {integration.name}</span>
      </ActionButton>
      <div aria-live="polite">
        {check && <CheckResult check={check} />}
        {failure && <p class="bad-text">{[...failure.texts, failure.advice].filter(Boolean).join(' ')}</p>}
      </div>
    </div>
  );
}

function CheckResult({ check: { result, reason } }: { check: Check }): VNode {
  if (result === 'accepted') return <Status tone="good" label="Accepted by the provider" />;
  if (result === 'not_offered') {
    return (
      <span class="soft">
        This provider&rsquo;s credentials cannot be checked without sending. Send a test message instead.
      </span>
    );
  }
  return (
    <>
      <Status tone="bad" label={result === 'incomplete' ? 'Incomplete' : 'Check failed'} />
      <p class="words">{reason}</p>
    </>
  );
}
