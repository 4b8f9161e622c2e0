import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { HistoryLink } from '../ui/history-link.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { DeleteTenantDialog, TenantDialog } from './tenant-dialogs.js';
import { fieldWords, type Tenant } from './tenant-words.js';

const ROWS = 50;

type Open = { readonly kind: 'new' } | { readonly kind: 'change' | 'delete'; readonly tenant: Tenant };

/** The customers in whose name messages are sent. */
export function TenantsPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const [open, setOpen] = useState<Open>();
  const page = pageOf(parameters);
  const query = useQuery(`tenants ${page}`, (signal) =>
    bodyOf(api.GET('/v1/tenants', { params: { query: { page, limit: ROWS } }, signal })),
  );
  const shared = { onClose: () => setOpen(undefined), onDone: query.reload };
  return (
    <Page
      title="Tenants"
      actions={
        <ActionButton needs="createTenant" class="primary" onClick={() => setOpen({ kind: 'new' })}>
          New tenant…
        </ActionButton>
      }
    >
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <Empty title="No tenants yet">
                <p>
                  A tenant is a customer in whose name you send. Templates read its name and data, and a workflow can
                  have settings of its own for it.
                </p>
              </Empty>
            ) : (
              <Table
                caption="Tenants, newest first"
                columns={columnsOf(setOpen)}
                rows={data}
                keyOf={({ _id }) => _id}
              />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
      {open !== undefined && open.kind !== 'delete' && (
        <TenantDialog tenant={open.kind === 'change' ? open.tenant : undefined} {...shared} />
      )}
      {open?.kind === 'delete' && <DeleteTenantDialog tenant={open.tenant} {...shared} />}
    </Page>
  );
}

function columnsOf(setOpen: (open: Open) => void): readonly Column<Tenant>[] {
  return [
    {
      label: 'Tenant',
      kind: 'main',
      cell: ({ name, identifier }) => (
        <span class="two-lines">
          <span>{name}</span>
          <code class="soft plain">{identifier}</code>
        </span>
      ),
    },
    { label: 'Data', kind: 'wide', cell: (tenant) => fieldWords(tenant) },
    { label: 'Created', kind: 'narrow', cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      label: '',
      kind: 'narrow',
      cell: (tenant) => (
        <span class="button-line">
          <HistoryLink type="tenant" id={tenant._id} of={tenant.name} />
          <ActionButton needs="updateTenant" class="small" onClick={() => setOpen({ kind: 'change', tenant })}>
            Change…<span class="unseen"> {tenant.name}</span>
          </ActionButton>
          <ActionButton needs="deleteTenant" class="danger small" onClick={() => setOpen({ kind: 'delete', tenant })}>
            Delete…<span class="unseen"> {tenant.name}</span>
          </ActionButton>
        </span>
      ),
    },
  ];
}
