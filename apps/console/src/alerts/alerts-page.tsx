import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { plainWords } from '../api/plain-words.js';
import { type Query, useQuery } from '../api/use-query.js';
import { useApi, useSession } from '../session.js';
import { Page } from '../ui/page.js';
import { Failed, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { Ago, Moment } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';
import { type Alerts, type AlertsChange, audienceWords } from './alert-words.js';
import { AlertsForm } from './alerts-form.js';

const POLL_MS = 15_000;

/** Who is told when something is wrong with deliveries, and what is wrong now. */
export function AlertsPage(): VNode {
  const api = useApi();
  const query = useQuery('alerts', (signal) => dataOf(api.GET('/v1/alerts', { signal })), POLL_MS);
  const { failure, isBusy, change, tellMe } = useChange(query);
  return (
    <Page title="Alerts">
      <Loaded query={query}>
        {(alerts) => (
          <>
            <section class="panel" aria-labelledby="alerts-heading">
              <div class="panel-head">
                <h2 id="alerts-heading">{alerts.isOn ? audienceWords(alerts) : 'Nobody is told'}</h2>
                <Switch alerts={alerts} isBusy={isBusy} onChange={change} onTellMe={tellMe} />
              </div>
              {failure && <Failed failure={failure} />}
              {alerts.isOn ? <State alerts={alerts} /> : <Offer />}
            </section>
            {alerts.isOn && <AlertsForm alerts={alerts} isBusy={isBusy} failure={failure} onSave={change} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Change {
  readonly failure: Failure | undefined;
  readonly isBusy: boolean;
  readonly change: (body: AlertsChange, done: string) => void;
  readonly tellMe: () => void;
}

function useChange(query: Query<Alerts>): Change {
  const api = useApi();
  const toast = useToast();
  const email = useSession().person?.known.email;
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const run = async (work: () => Promise<unknown>, done: string): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
      toast(done);
      query.reload();
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  const send = (body: AlertsChange): Promise<unknown> => dataOf(api.PATCH('/v1/alerts', { body }));
  const tellMe = async (): Promise<void> => {
    if (email === undefined) return void (await send({ isOn: true }));
    await dataOf(api.POST('/v1/subscribers', { body: { subscriberId: email, email } }));
    await send({ isOn: true, subscribers: [email] });
  };
  return {
    failure,
    isBusy,
    change: (body, done) => void run(() => send(body), done),
    tellMe: () => void run(tellMe, 'Alerts are on.'),
  };
}

interface SwitchProps extends Pick<Change, 'isBusy'> {
  readonly alerts: Alerts;
  readonly onChange: Change['change'];
  readonly onTellMe: () => void;
}

function Switch({ alerts: { isOn }, isBusy, onChange, onTellMe }: SwitchProps): VNode {
  const { person } = useSession();
  if (isOn) {
    return (
      <ActionButton
        needs="updateAlerts"
        disabled={isBusy}
        onClick={() => onChange({ isOn: false }, 'Alerts are off. Nobody is told.')}
      >
        Switch off
      </ActionButton>
    );
  }
  return (
    <ActionButton needs="updateAlerts" class="primary" disabled={isBusy} onClick={onTellMe}>
      {person === undefined ? 'Switch on' : 'Tell me'}
    </ActionButton>
  );
}

function Offer(): VNode {
  return (
    <>
      <p>
        Herald can tell people when a provider does not answer, when many messages fail, are late or cannot be
        delivered, and send a report each day.
      </p>
      <p class="note">
        It makes two workflows and a topic for that. They are yours: change the steps, the words and the members as you
        like. Quiet hours, budgets and preferences hold for alerts as for all messages.
      </p>
    </>
  );
}

function State({ alerts }: { readonly alerts: Alerts }): VNode {
  const { incidents, workflows, topic, checkedAt, nextReportAt, fault } = alerts;
  return (
    <>
      {fault !== undefined && (
        <div class="notice bad" role="alert">
          <p>The last alert was not sent: {plainWords(fault)}</p>
        </div>
      )}
      {workflows.some(({ _id }) => _id === undefined) && (
        <div class="notice bad" role="alert">
          <p>A workflow of the alerts was deleted. Switch alerts off and on again to make a new one.</p>
        </div>
      )}
      {incidents.length === 0 ? (
        <p>
          <Status tone="good" label="Nothing is wrong" />
        </p>
      ) : (
        <ul class="incidents">
          {incidents.map(({ title, since }) => (
            <li key={title}>
              <Status tone="bad" label={title} />{' '}
              <span class="soft">
                since <Ago at={since} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <p class="note">
        {checkedAt !== undefined && (
          <>
            Checked <Ago at={checkedAt} />.{' '}
          </>
        )}
        {nextReportAt !== undefined && (
          <>
            The next report comes <Moment at={nextReportAt} isShort />.
          </>
        )}
      </p>
      <p class="button-line">
        <Link href={`/topics/${encodeURIComponent(topic)}`}>Who is told</Link>
        {workflows.map(
          ({ _id, identifier }) =>
            _id !== undefined && (
              <Link key={_id} href={`/workflows/${_id}`}>
                {identifier === 'herald-alert' ? 'The workflow of alerts' : 'The workflow of the report'}
              </Link>
            ),
        )}
      </p>
    </>
  );
}
