import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useApi, useSession } from '../session.js';
import { PromoteLink } from './promote-link.js';
import { Page } from '../ui/page.js';
import { Failed } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { useToast } from '../ui/toasts.js';

/** The environment, and whether it changes by promotion only. */
export function EnvironmentPage(): VNode {
  const { environment } = useSession();
  return (
    <Page title={environment.name} actions={<PromoteLink />}>
      <section class="panel" aria-labelledby="changes-heading">
        <div class="panel-head">
          <h2 id="changes-heading">Changes</h2>
          <ReadOnlySwitch />
        </div>
        <p>
          {environment.isReadOnly ? (
            <Status tone="busy" label="Read-only" />
          ) : (
            <Status tone="good" label="Can be edited" />
          )}
        </p>
        <p class="note">
          In a read-only environment, workflows, layouts, translations, feeds, groups, budgets and overrides for tenants
          change by promotion only. Events, subscribers, preferences, tenants and integrations are not concerned.
        </p>
      </section>
      <section class="panel" aria-labelledby="identifiers-heading">
        <h2 id="identifiers-heading">Identifiers</h2>
        <p>
          Browsers name this environment <code>{environment.identifier}</code>. Its id is <code>{environment._id}</code>
          .
        </p>
      </section>
    </Page>
  );
}

function ReadOnlySwitch(): VNode {
  const api = useApi();
  const toast = useToast();
  const { environment, setEnvironment } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const { isReadOnly } = environment;
  const toggle = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const changed = await dataOf(api.PATCH('/v1/environments/me', { body: { isReadOnly: !isReadOnly } }));
      setEnvironment(changed);
      toast(changed.isReadOnly ? `${changed.name} is read-only now.` : `${changed.name} can be edited again.`);
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  return (
    <>
      <ActionButton needs="updateCurrentEnvironment" disabled={isBusy} onClick={() => void toggle()}>
        {isReadOnly ? 'Allow changes' : 'Make read-only'}
      </ActionButton>
      {failure && <Failed failure={failure} />}
    </>
  );
}
