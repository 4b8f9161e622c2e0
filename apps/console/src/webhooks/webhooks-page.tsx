import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { plainWords } from '../api/plain-words.js';
import { ActionButton } from '../access/action-button.js';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { NewWebhookDialog } from './webhook-form.js';
import { type Webhook, webhookWord } from './webhook-words.js';

const ROWS = 30;

/** The URLs that are called when the state of a message changes. */
export function WebhooksPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const page = pageOf(parameters);
  const [isOpen, setOpen] = useState(false);
  const query = useQuery(`webhooks ${page}`, (signal) =>
    bodyOf(api.GET('/v1/webhooks', { params: { query: { page, limit: ROWS } }, signal })),
  );
  return (
    <Page
      title="Webhooks"
      actions={
        <ActionButton needs="createWebhook" class="primary" onClick={() => setOpen(true)}>
          New webhook…
        </ActionButton>
      }
    >
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <Empty title="No webhooks yet">
                <p>A webhook is a URL of yours that Herald calls when a message is sent, fails or is read.</p>
              </Empty>
            ) : (
              <Table caption="Webhooks, newest first" columns={COLUMNS} rows={data} keyOf={({ _id }) => _id} />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
      {isOpen && <NewWebhookDialog onClose={() => setOpen(false)} onDone={query.reload} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  {
    label: 'URL',
    kind: 'main',
    cell: ({ _id, url, description }) => (
      <span class="two-lines">
        <Link href={`/webhooks/${_id}`}>{url}</Link>
        <span class="soft plain">{description}</span>
      </span>
    ),
  },
  {
    label: 'Status',
    kind: 'narrow',
    cell: (webhook) => (
      <span class="two-lines">
        <Status {...webhookWord(webhook)} />
        {webhook.disabledReason && <span class="reason">{plainWords(webhook.disabledReason)}</span>}
      </span>
    ),
  },
  {
    label: 'Events',
    kind: 'wide',
    cell: ({ events }) => <span class="soft">{events.map(shortEvent).join(', ')}</span>,
  },
  { label: 'Created', kind: 'narrow', cell: ({ createdAt }) => <Ago at={createdAt} /> },
];

/** All events are of messages. */
export function shortEvent(event: string): string {
  return event.replace(/^message\./, '');
}
