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
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { memberCount, type Topic } from './topic-words.js';

const ROWS = 50;

/** The topics of the environment, newest first. */
export function TopicsPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const page = pageOf(parameters);
  const query = useQuery(`topics ${page}`, (signal) =>
    bodyOf(api.GET('/v1/topics', { params: { query: { page, limit: ROWS } }, signal })),
  );
  return (
    <Page title="Topics" actions={<NewTopic />}>
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <Empty title="No topics yet">
                <p>
                  A topic is a list of subscribers under a key. A trigger to the topic notifies all of them, once each.
                </p>
              </Empty>
            ) : (
              <Table caption="Topics, newest first" columns={COLUMNS} rows={data} keyOf={({ _id }) => _id} />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const COLUMNS: readonly Column<Topic>[] = [
  {
    label: 'Topic',
    kind: 'main',
    cell: ({ key, name }) => (
      <span class="two-lines">
        <Link href={`/topics/${encodeURIComponent(key)}`}>{name}</Link>
        <code class="soft plain">{key}</code>
      </span>
    ),
  },
  { label: 'Subscribers', kind: 'narrow', cell: ({ subscribers }) => memberCount(subscribers.length) },
  { label: 'Created', kind: 'narrow', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

function NewTopic(): VNode {
  const api = useApi();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const create = async (form: FormData): Promise<void> => {
    const key = textIn(form, 'key');
    await dataOf(api.POST('/v1/topics', { body: { key, name: textIn(form, 'name') } }));
    navigate(`/topics/${encodeURIComponent(key)}`);
  };
  return (
    <>
      <ActionButton needs="createTopic" class="primary" onClick={() => setOpen(true)}>
        New topic…
      </ActionButton>
      {isOpen && (
        <Confirm title="New topic" action="Create" onClose={() => setOpen(false)} onConfirm={create}>
          <RequiredField label="Name" name="name" />
          <RequiredField
            label="Key"
            name="key"
            note="Triggers name the topic by it. It cannot be changed later."
            placeholder="order-4711-watchers"
            isCode
          />
        </Confirm>
      )}
    </>
  );
}
