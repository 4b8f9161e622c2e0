import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { bodyOf, dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { RequiredField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { BrandingPanel } from './branding-panel.js';
import { type Layout, NEW_CONTENT } from './layout-draft.js';

const ROWS = 50;

/** The frames of mails, and the colors and the logo that they share. */
export function LayoutsPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const page = pageOf(parameters);
  const query = useQuery(`layouts ${page}`, (signal) =>
    bodyOf(api.GET('/v1/layouts', { params: { query: { page, limit: ROWS } }, signal })),
  );
  return (
    <Page title="Layouts" actions={<NewLayout />}>
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <Empty title="No layouts yet">
                <p>
                  A layout is the HTML around the content of emails: a header, a logo, an address. Without one, emails
                  that are made of blocks have a plain frame.
                </p>
              </Empty>
            ) : (
              <Table caption="Layouts, newest first" columns={COLUMNS} rows={data} keyOf={({ _id }) => _id} />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
      <BrandingPanel />
    </Page>
  );
}

const COLUMNS: readonly Column<Layout>[] = [
  {
    label: 'Layout',
    kind: 'main',
    cell: ({ _id, name, identifier }) => (
      <span class="two-lines">
        <Link href={`/layouts/${_id}`}>{name}</Link>
        <code class="soft plain">{identifier}</code>
      </span>
    ),
  },
  { label: 'Description', kind: 'wide', cell: ({ description }) => description },
  {
    label: 'Use',
    kind: 'narrow',
    cell: ({ isDefault }) => isDefault && <Status tone="good" label="Default" />,
  },
  { label: 'Changed', kind: 'narrow', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
];

function NewLayout(): VNode {
  const api = useApi();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const create = async (form: FormData): Promise<void> => {
    const made = await dataOf(api.POST('/v1/layouts', { body: { name: textIn(form, 'name'), content: NEW_CONTENT } }));
    navigate(`/layouts/${made._id}`);
  };
  return (
    <>
      <ActionButton needs="createLayout" class="primary" onClick={() => setOpen(true)}>
        New layout…
      </ActionButton>
      {isOpen && (
        <Confirm title="New layout" action="Create" onClose={() => setOpen(false)} onConfirm={create}>
          <RequiredField label="Name" name="name" />
        </Confirm>
      )}
    </>
  );
}
