import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { bodyOf, dataOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Field, SelectField } from '../ui/fields.js';
import { SecretDialog } from '../ui/secret-dialog.js';
import { Ago } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';
import type { Week } from '../ui/week.js';
import { AgentFields } from './agent-fields.js';
import { changedLimits, type Limits, limitsIn } from './agent-words.js';
import { type ApiKey, expiryOf, KINDS, LIFETIMES, SCOPES, scopesOf, textIn } from './key-words.js';

interface Props {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function IssueKeyDialog({ onClose, onDone }: Props): VNode {
  const api = useApi();
  const [kind, setKind] = useState<ApiKey['kind']>('server');
  const [week, setWeek] = useState<Week>();
  const isAgent = kind === 'agent';
  const issue = async (form: FormData): Promise<string> => {
    const expiresAt = expiryOf(textIn(form, 'lifetime'), Date.now());
    const body = {
      name: textIn(form, 'name').trim(),
      kind,
      scopes: scopesOf(form),
      ...(isAgent && { limits: limitsIn(form, week) }),
      ...(expiresAt && { expiresAt }),
    };
    const { key } = await dataOf(api.POST('/v1/environments/api-keys', { body }));
    onDone();
    return key;
  };
  return (
    <SecretDialog
      title="Issue an API key"
      action="Issue"
      secretName="API key"
      note={
        isAgent
          ? 'Give it to the agent for the address /mcp. No other route takes it.'
          : "Store it with your application's secrets. If you lose it, revoke it and issue a new one."
      }
      onClose={onClose}
      onSubmit={issue}
    >
      <Field label="Name" note="Say what the key is for, so that others know whether they can revoke it.">
        {(id, describedBy) => (
          <input id={id} name="name" required maxLength={120} autocomplete="off" aria-describedby={describedBy} />
        )}
      </Field>
      <SelectField
        label="For"
        name="kind"
        value={kind}
        choices={KINDS}
        onChange={(value) => setKind(value as ApiKey['kind'])}
      />
      <fieldset class="scopes">
        <legend>Scopes</legend>
        {SCOPES.filter(({ scope }) => !isAgent || scope !== 'admin').map(({ scope, words }) => (
          <label key={scope} class="check">
            <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'read'} />
            <span>
              <strong>{scope}</strong> <span class="soft">{words}</span>
            </span>
          </label>
        ))}
        <p class="note">The new key can only have scopes that your key has.</p>
      </fieldset>
      {isAgent && <AgentFields week={week} onWeek={setWeek} />}
      <SelectField label="Valid for" name="lifetime" value="" choices={LIFETIMES} />
    </SecretDialog>
  );
}

interface LimitsProps extends Props {
  readonly apiKey: ApiKey;
  readonly limits: Limits;
}

export function LimitsDialog({ apiKey: { _id, name }, limits, onClose, onDone }: LimitsProps): VNode {
  const api = useApi();
  const toast = useToast();
  const [week, setWeek] = useState<Week | undefined>(limits.sendWindow?.weeklySchedule);
  const change = async (form: FormData): Promise<void> => {
    const params = { path: { apiKeyId: _id } };
    const body = { limits: changedLimits(form, week) };
    await dataOf(api.PATCH('/v1/environments/api-keys/{apiKeyId}', { params, body }));
    toast(`The limits of ${name} are changed.`);
    onDone();
  };
  return (
    <Confirm title={`Limits of ${name}`} action="Save" onClose={onClose} onConfirm={change}>
      <p>They hold at once. What the agent has sent in the current period counts.</p>
      <AgentFields limits={limits} week={week} onWeek={setWeek} />
    </Confirm>
  );
}

export function RevokeKeyDialog({ apiKey, onClose, onDone }: Props & { apiKey: ApiKey }): VNode {
  const api = useApi();
  const toast = useToast();
  const { _id, name, current, lastUsedAt } = apiKey;
  const revoke = async (): Promise<void> => {
    const params = { path: { apiKeyId: _id } };
    await bodyOf(api.DELETE('/v1/environments/api-keys/{apiKeyId}', { params }));
    toast(`The key ${name} no longer works.`);
    onDone();
  };
  return (
    <Confirm title={`Revoke ${name}`} action="Revoke" isDangerous onClose={onClose} onConfirm={revoke}>
      <p>Requests that use this key will be rejected immediately. This cannot be undone.</p>
      <p>
        {lastUsedAt === undefined ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <Ago at={lastUsedAt} />. Make sure that its users have switched to another key.
          </>
        )}
      </p>
      {current && <p class="notice warn">You are signed in with this key, so you will be signed out.</p>}
    </Confirm>
  );
}
