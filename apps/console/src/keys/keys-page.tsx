import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi, useSession } from '../session.js';
import { HistoryLink } from '../ui/history-link.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { limitWords } from './agent-words.js';
import { IssueKeyDialog, LimitsDialog, RevokeKeyDialog } from './key-dialogs.js';
import { type ApiKey, expiryWord } from './key-words.js';

/** The API keys of the environment, without their values, which are not stored. */
export function KeysPage(): VNode {
  const api = useApi();
  const { environment } = useSession();
  const [isIssuing, setIssuing] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey>();
  const [limited, setLimited] = useState<ApiKey>();
  const query = useQuery('keys', (signal) => bodyOf(api.GET('/v1/environments/api-keys/all', { signal })));
  return (
    <Page
      title="API keys"
      actions={
        query.data && (
          <ActionButton needs="issueApiKey" class="primary" onClick={() => setIssuing(true)}>
            Issue a key…
          </ActionButton>
        )
      }
    >
      <Loaded query={query}>
        {({ data }) => (
          <>
            <p class="note intro">
              Keys of the {environment.name} environment. Herald stores only hashes, so a key cannot be shown again.
            </p>
            {data.length === 0 ? (
              <Empty title="No keys" />
            ) : (
              <Table
                caption="API keys"
                columns={columnsOf({ onRevoke: setRevoked, onLimits: setLimited })}
                rows={data}
                keyOf={({ _id }) => _id}
              />
            )}
          </>
        )}
      </Loaded>
      {isIssuing && <IssueKeyDialog onClose={() => setIssuing(false)} onDone={query.reload} />}
      {limited?.limits && (
        <LimitsDialog
          apiKey={limited}
          limits={limited.limits}
          onClose={() => setLimited(undefined)}
          onDone={query.reload}
        />
      )}
      {revoked && <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(undefined)} onDone={query.reload} />}
    </Page>
  );
}

interface Actions {
  readonly onRevoke: (key: ApiKey) => void;
  readonly onLimits: (key: ApiKey) => void;
}

function columnsOf(actions: Actions): readonly Column<ApiKey>[] {
  return [
    {
      label: 'Name',
      kind: 'main',
      cell: ({ name, current, issuedBy, kind }) => (
        <span class="two-lines">
          <span>
            {name} {current && <span class="badge">your key</span>}
            {kind === 'agent' && <span class="badge">agent</span>}
          </span>
          <span class="soft">{issuedBy === 'command line' ? 'issued from the command line' : ''}</span>
        </span>
      ),
    },
    {
      label: 'Scopes',
      cell: ({ scopes, limits }) => (
        <span class="two-lines">
          <span>{scopes.join(', ')}</span>
          {limits && <span class="soft plain">{limitWords(limits)}</span>}
        </span>
      ),
    },
    { label: 'Created', kind: 'narrow', cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      label: 'Last used',
      kind: 'narrow',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Ago at={lastUsedAt} /> : <span class="soft">never</span>),
    },
    {
      label: 'Expiry',
      kind: 'narrow',
      cell: (key) => (
        <span class="stack">
          {key.expiresAt === undefined ? 'does not expire' : <Status {...expiryWord(key, Date.now())} />}
          {key.expiresAt && (
            <span class="soft">
              <Ago at={key.expiresAt} />
            </span>
          )}
        </span>
      ),
    },
    {
      label: '',
      kind: 'narrow',
      cell: (key) => <RowActions apiKey={key} {...actions} />,
    },
  ];
}

function RowActions({ apiKey, onRevoke, onLimits }: Actions & { apiKey: ApiKey }): VNode {
  const { _id, name, kind } = apiKey;
  return (
    <span class="button-line">
      {kind === 'agent' && (
        <>
          <Link href={`/audit-log?actorId=${_id}`}>
            What it did<span class="unseen"> {name}</span>
          </Link>
          <ActionButton needs="updateApiKey" class="small" onClick={() => onLimits(apiKey)}>
            Limits…<span class="unseen"> of {name}</span>
          </ActionButton>
        </>
      )}
      <HistoryLink type="api-key" id={_id} of={name} />
      <ActionButton needs="revokeApiKey" class="danger small" onClick={() => onRevoke(apiKey)}>
        Revoke…<span class="unseen"> {name}</span>
      </ActionButton>
    </span>
  );
}
