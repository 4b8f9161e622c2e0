import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { TextField } from '../ui/fields.js';
import { HistoryLink } from '../ui/history-link.js';
import { idInAddress } from '../ui/id-in-address.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { AddMembersDialog, DeleteTopicDialog, RemoveMemberDialog, RenameTopicDialog } from './topic-dialogs.js';
import { memberCount, type Topic } from './topic-words.js';

/** Rows that are drawn; a search finds the others. */
const SHOWN = 200;

type Open = { readonly kind: 'add' | 'rename' | 'delete' } | { readonly kind: 'remove'; readonly member: string };

/** One topic and its members. */
export function TopicPage(): VNode {
  const api = useApi();
  const topicKey = idInAddress('/topics/');
  const [open, setOpen] = useState<Open>();
  const query = useQuery(`topic ${topicKey}`, (signal) =>
    dataOf(api.GET('/v1/topics/{topicKey}', { params: { path: { topicKey } }, signal })),
  );
  const topic = query.data;
  const shared = { onClose: () => setOpen(undefined), onDone: query.reload };
  return (
    <Page
      title={topic?.name ?? 'Topic'}
      above={<Link href="/topics">← Topics</Link>}
      actions={
        topic && (
          <>
            <HistoryLink type="topic" id={topic._id} />
            <ActionButton needs="renameTopic" onClick={() => setOpen({ kind: 'rename' })}>
              Rename…
            </ActionButton>
            <ActionButton needs="deleteTopic" class="danger" onClick={() => setOpen({ kind: 'delete' })}>
              Delete…
            </ActionButton>
            <ActionButton needs="addTopicSubscribers" class="primary" onClick={() => setOpen({ kind: 'add' })}>
              Add subscribers…
            </ActionButton>
          </>
        )
      }
    >
      <Loaded query={query}>
        {(found) => <Members topic={found} onRemove={(member) => setOpen({ kind: 'remove', member })} />}
      </Loaded>
      {topic && open?.kind === 'add' && <AddMembersDialog topic={topic} {...shared} />}
      {topic && open?.kind === 'rename' && <RenameTopicDialog topic={topic} {...shared} />}
      {topic && open?.kind === 'delete' && <DeleteTopicDialog topic={topic} onClose={shared.onClose} />}
      {topic && open?.kind === 'remove' && <RemoveMemberDialog topic={topic} member={open.member} {...shared} />}
    </Page>
  );
}

function Members({ topic, onRemove }: { topic: Topic; onRemove: (member: string) => void }): VNode {
  const [search, setSearch] = useState('');
  const { key, subscribers } = topic;
  const found = search === '' ? subscribers : subscribers.filter((id) => id.includes(search));
  const columns: readonly Column<string>[] = [
    {
      label: 'Subscriber',
      kind: 'main',
      cell: (id) => <Link href={`/subscribers/${encodeURIComponent(id)}`}>{id}</Link>,
    },
    {
      label: '',
      kind: 'narrow',
      cell: (id) => (
        <ActionButton needs="removeTopicSubscribers" class="danger small" onClick={() => onRemove(id)}>
          Remove…<span class="unseen"> {id}</span>
        </ActionButton>
      ),
    },
  ];
  return (
    <>
      <p>
        {memberCount(subscribers.length)}. Triggers name the topic as <code>{key}</code>.
      </p>
      {subscribers.length === 0 ? (
        <Empty title="Nobody is in this topic" />
      ) : (
        <>
          <search class="filters" aria-label="Search">
            <TextField label="Find an id" type="search" value={search} onChange={(text) => setSearch(text.trim())} />
          </search>
          {found.length > SHOWN && <p class="note">The first {SHOWN} are shown. Search for others.</p>}
          {found.length === 0 ? (
            <Empty title="No matching subscribers" />
          ) : (
            <Table caption="Members" columns={columns} rows={found.slice(0, SHOWN)} keyOf={(id) => id} />
          )}
        </>
      )}
    </>
  );
}
