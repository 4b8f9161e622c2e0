import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation, useParams, useSearchParams } from 'wouter-preact';
import { plainWords } from '../api/plain-words.js';
import { ActionButton } from '../access/action-button.js';
import { HistoryLink } from '../ui/history-link.js';
import { typeLabel } from '../activity/words.js';
import { bodyOf, dataOf } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { Check, LiveField } from '../editor/live-fields.js';
import { CheckCell } from '../integrations/check-cell.js';
import { OutageNotice } from '../integrations/outage-view.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { FaultScope, SelectField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { Empty, Failed, Loaded } from '../ui/states.js';
import { useToast } from '../ui/toasts.js';
import { CredentialFields } from './credential-fields.js';
import {
  type FormValues,
  type Integration,
  type Provider,
  type ReadForm,
  readForm,
  valuesOf,
} from './integration-form.js';
import { LimitField } from './limit-field.js';
import { ProviderChoice } from './provider-choice.js';
import { SystemMail } from './system-mail.js';
import { type Tracked, TrackingFields } from './tracking-fields.js';

/** Connects a provider, or changes how one is connected. */
export function IntegrationPage(): VNode {
  const { integrationId = '' } = useParams<{ integrationId: string }>();
  const [parameters] = useSearchParams();
  const api = useApi();
  const query = useQuery(`integration ${integrationId}`, async (signal) => {
    const [providers, { data }] = await Promise.all([
      dataOf(api.GET('/v1/integrations/providers', { signal })),
      bodyOf(api.GET('/v1/integrations', { signal })),
    ]);
    return { providers, integration: data.find(({ _id }) => _id === integrationId) };
  });
  const isNew = integrationId === 'new';
  const { channel, providerId } = query.data?.integration ?? {
    channel: parameters.get('channel'),
    providerId: parameters.get('provider'),
  };
  const provider = query.data?.providers.find((one) => one.id === providerId && one.channel === channel);
  const name = query.data?.integration?.name ?? (provider ? `Connect ${provider.name}` : 'Connect a provider');
  return (
    <Page
      title={isNew || query.data ? name : 'Integration'}
      above={<Link href="/integrations">← Integrations</Link>}
      actions={!isNew && query.data && <HistoryLink type="integration" id={integrationId} />}
    >
      <Loaded query={query}>
        {({ providers, integration }) =>
          isNew && provider === undefined ? (
            <ProviderChoice providers={providers} />
          ) : isNew || integration ? (
            <Form
              key={`${integrationId} ${providerId}`}
              integration={integration}
              provider={provider}
              onChanged={query.reload}
            />
          ) : (
            <Empty title="Integration not found">
              <p>It may have been deleted.</p>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

interface FormProps {
  readonly integration: Integration | undefined;
  /** Undefined for a provider that is not in the catalogue. */
  readonly provider: Provider | undefined;
  readonly onChanged: () => void;
}

interface EditedIntegration {
  readonly name: string;
  readonly isActive: boolean;
  readonly isChecked: boolean;
  readonly tracking: Tracked;
  /** As it was entered. */
  readonly limit: string;
  readonly values: FormValues;
}

interface FormState {
  readonly edited: EditedIntegration;
  readonly change: (part: Partial<EditedIntegration>) => void;
  readonly faults: Readonly<Record<string, string>>;
  readonly failure: Failure | undefined;
  readonly isBusy: boolean;
  readonly save: () => void;
}

function useForm({ integration, provider, onChanged }: FormProps): FormState {
  const api = useApi();
  const toast = useToast();
  const [, navigate] = useLocation();
  const fields = provider?.credentials ?? [];
  const [edited, setEdited] = useState<EditedIntegration>(() => ({
    name: integration?.name ?? provider?.name ?? '',
    isActive: integration?.active ?? true,
    isChecked: provider?.canCheck === true,
    tracking: { opens: integration?.tracking?.opens === true, clicks: integration?.tracking?.clicks === true },
    limit: String(integration?.messagesPerSecond ?? ''),
    values: valuesOf(fields, integration?.credentials),
  }));
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const send = async (credentials: ReadForm['credentials']): Promise<void> => {
    const { name, isActive: active, isChecked: check } = edited;
    const channel = integration?.channel ?? provider?.channel;
    const tracked = channel === 'email' && { tracking: edited.tracking };
    const messagesPerSecond = edited.limit.trim() === '' ? null : Number(edited.limit);
    const body = { name, active, check, credentials, messagesPerSecond, ...tracked };
    if (integration === undefined && provider !== undefined) {
      const { id: providerId } = provider;
      await dataOf(api.POST('/v1/integrations', { body: { ...body, providerId, channel: provider.channel } }));
      toast(`${name} is connected.`);
      navigate('/integrations');
      return;
    }
    const params = { path: { integrationId: integration?._id ?? '' } };
    await dataOf(api.PUT('/v1/integrations/{integrationId}', { params, body }));
    toast('Saved.');
    onChanged();
  };
  const save = async (): Promise<void> => {
    const read = readForm(fields, edited.values, integration?.credentials, edited.isActive);
    setFaults(read.faults);
    setFailure(undefined);
    if (Object.keys(read.faults).length > 0) return;
    setBusy(true);
    await send(read.credentials).catch((error: unknown) => setFailure(toFailure(error)));
    setBusy(false);
  };
  const change = (part: Partial<EditedIntegration>): void => setEdited({ ...edited, ...part });
  return { edited, change, faults, failure, isBusy, save: () => void save() };
}

function Form(props: FormProps): VNode {
  const { integration, provider, onChanged } = props;
  const { edited, change, faults, failure, isBusy, save } = useForm(props);
  const { name, isActive, isChecked, tracking, limit, values } = edited;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    save();
  };
  return (
    <div class="form narrow-form">
      <Notes provider={provider} />
      {integration && <Facts integration={integration} onChanged={onChanged} />}
      <form class="panel form" onSubmit={submit}>
        <FaultScope value={failure?.faults ?? []}>
          <LiveField label="Name" path="name" value={name} onInput={(text) => change({ name: text })} />
          {integration === undefined && (
            <Services provider={provider} values={values} onValues={(next) => change({ values: next })} />
          )}
          <CredentialFields
            fields={provider?.credentials ?? []}
            values={values}
            faults={faults}
            stored={integration?.credentials}
            onValue={(key, value) => change({ values: { ...values, [key]: value } })}
          />
        </FaultScope>
        <DocsLink provider={provider} />
        <Check isOn={isActive} onChange={(isOn) => change({ isActive: isOn })}>
          Active: messages are sent through it
        </Check>
        {(integration ?? provider)?.channel !== 'in_app' && (
          <LimitField limit={limit} onInput={(text) => change({ limit: text })} />
        )}
        {(integration ?? provider)?.channel === 'email' && (
          <TrackingFields tracked={tracking} onTracked={(changed) => change({ tracking: changed })} />
        )}
        {provider?.canCheck && (
          <Check isOn={isChecked} onChange={(isOn) => change({ isChecked: isOn })}>
            Check the credentials with {provider.name} before they are saved; nothing is sent
          </Check>
        )}
        {failure && <Failed failure={failure} />}
        <div>
          <ActionButton
            needs={integration ? 'updateIntegration' : 'createIntegration'}
            type="submit"
            class="primary"
            disabled={isBusy || name.trim() === ''}
          >
            {isBusy ? 'Saving…' : integration ? 'Save' : 'Connect'}
          </ActionButton>
        </div>
      </form>
    </div>
  );
}

function DocsLink({ provider }: Pick<FormProps, 'provider'>): VNode | null {
  if (provider?.docs === undefined) return null;
  return (
    <p class="note">
      Where to find these:{' '}
      <a href={provider.docs} target="_blank" rel="noreferrer">
        documentation of {provider.name}
      </a>
    </p>
  );
}

interface ServicesProps extends Pick<FormProps, 'provider'> {
  readonly values: FormValues;
  readonly onValues: (values: FormValues) => void;
}

/** Fills in what is the same for everybody who uses a service. */
function Services({ provider, values, onValues }: ServicesProps): VNode | null {
  const presets = provider?.presets ?? [];
  if (presets.length === 0) return null;
  const chosen = presets.find(({ credentials }) =>
    Object.entries(credentials).every(([key, value]) => values[key] === value),
  );
  return (
    <SelectField
      label="Service"
      value={chosen?.name ?? ''}
      choices={[{ value: '', label: 'Another one' }, ...presets.map(({ name }) => ({ value: name, label: name }))]}
      onChange={(wanted) => {
        const preset = presets.find(({ name }) => name === wanted);
        const former = Object.entries(chosen?.credentials ?? {});
        const emptied = former.map(([key, value]): [string, string | boolean] => [key, value === true ? false : '']);
        onValues({ ...values, ...Object.fromEntries(emptied), ...(preset?.credentials as FormValues | undefined) });
      }}
    />
  );
}

function Notes({ provider }: Pick<FormProps, 'provider'>): VNode {
  if (provider === undefined) {
    return <p class="notice warn">This provider is not in the catalogue, so its credentials cannot be edited here.</p>;
  }
  return (
    <>
      {provider.note && <p class="notice">{plainWords(provider.note)}</p>}
      {provider.setup.length > 0 && (
        <section class="notice" aria-labelledby="before">
          <h2 id="before">Before you begin</h2>
          <ol>
            {provider.setup.map((step) => (
              <li key={step}>{plainWords(step)}</li>
            ))}
          </ol>
        </section>
      )}
      {!provider.canSend && (
        <p class="notice warn">Herald cannot send through this provider. It can be stored, for other systems.</p>
      )}
    </>
  );
}

function Facts({ integration, onChanged }: { integration: Integration; onChanged: () => void }): VNode {
  const api = useApi();
  const toast = useToast();
  const [, navigate] = useLocation();
  const [isRemoving, setRemoving] = useState(false);
  const { _id: integrationId, channel, identifier, primary, name } = integration;
  const hasPrimary = channel === 'email' || channel === 'sms';
  const params = { path: { integrationId } };
  const makePrimary = async (): Promise<void> => {
    try {
      await dataOf(api.POST('/v1/integrations/{integrationId}/set-primary', { params }));
      toast(`${name} is tried first now.`);
      onChanged();
    } catch (error) {
      toast(toFailure(error).texts.join(' '), 'bad');
    }
  };
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/integrations/{integrationId}', { params }));
    toast(`${name} was deleted.`);
    navigate('/integrations');
  };
  return (
    <section class="panel form" aria-label="About this integration">
      <p>
        {typeLabel(channel)} · <code>{identifier}</code> {primary && <span class="badge">primary</span>}
      </p>
      <OutageNotice outage={integration.outage} />
      {channel === 'email' && <SystemMail integration={integration} onChanged={onChanged} />}
      {channel !== 'in_app' && <CheckCell integration={integration} />}
      <div class="button-line">
        {hasPrimary && !primary && (
          <ActionButton needs="setPrimaryIntegration" onClick={() => void makePrimary()}>
            Make primary
          </ActionButton>
        )}
        <ActionButton needs="deleteIntegration" class="danger" onClick={() => setRemoving(true)}>
          Delete…
        </ActionButton>
      </div>
      {isRemoving && (
        <Confirm
          title={`Delete “${name}”?`}
          action="Delete integration"
          isDangerous
          onClose={() => setRemoving(false)}
          onConfirm={remove}
        >
          <p>
            Its credentials are removed.{' '}
            {primary
              ? 'It is the primary integration: messages go through the next one of its channel, or fail if there is none.'
              : 'Messages go through the other integrations of its channel.'}
          </p>
        </Confirm>
      )}
    </section>
  );
}
