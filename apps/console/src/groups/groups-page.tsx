import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import type { Operation } from '../access/refusals.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { type Query, useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { RequiredField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { HistoryLink } from '../ui/history-link.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';

type Row = Pick<Schemas['FeedResponse'], '_id' | 'name' | 'createdAt'>;

/** What happens to a row, and what is said of it. */
interface Kind {
  readonly word: 'feed' | 'group';
  /** As the audit log names it. */
  readonly type: string;
  readonly needs: { readonly create: Operation; readonly rename: Operation; readonly remove: Operation };
  readonly create: (name: string) => Promise<unknown>;
  readonly rename?: (row: Row, name: string) => Promise<unknown>;
  readonly remove: (row: Row) => Promise<unknown>;
}

/** Names that workflows refer to: the feeds of the inbox, and the groups of workflows. */
export function GroupsPage(): VNode {
  const api = useApi();
  const feeds = useQuery('feeds', (signal) => dataOf(api.GET('/v1/feeds', { signal })));
  const groups = useQuery('groups', (signal) => dataOf(api.GET('/v1/notification-groups', { signal })));
  const ofFeeds: Kind = {
    word: 'feed',
    type: 'feed',
    // Feeds keep their names.
    needs: { create: 'createFeed', rename: 'createFeed', remove: 'deleteFeed' },
    create: (name) => dataOf(api.POST('/v1/feeds', { body: { name } })),
    remove: ({ _id: feedId }) => bodyOf(api.DELETE('/v1/feeds/{feedId}', { params: { path: { feedId } } })),
  };
  const ofGroups: Kind = {
    word: 'group',
    type: 'notification-group',
    needs: {
      create: 'createNotificationGroup',
      rename: 'updateNotificationGroup',
      remove: 'deleteNotificationGroup',
    },
    create: (name) => dataOf(api.POST('/v1/notification-groups', { body: { name } })),
    rename: ({ _id: groupId }, name) =>
      dataOf(api.PATCH('/v1/notification-groups/{groupId}', { params: { path: { groupId } }, body: { name } })),
    remove: ({ _id: groupId }) =>
      bodyOf(api.DELETE('/v1/notification-groups/{groupId}', { params: { path: { groupId } } })),
  };
  return (
    <Page title="Feeds and groups">
      <Names title="Feeds" kind={ofFeeds} query={feeds}>
        A feed is a tab of the inbox. An in-app step can name one.
      </Names>
      <Names title="Workflow groups" kind={ofGroups} query={groups}>
        Each workflow belongs to one group; a new one to the first, unless it names another.
      </Names>
    </Page>
  );
}

interface NamesProps {
  readonly title: string;
  readonly kind: Kind;
  readonly query: Query<readonly Row[]>;
  readonly children: ComponentChildren;
}

type Open = { readonly what: 'new' } | { readonly what: 'rename' | 'delete'; readonly row: Row };

function Names({ title, kind, query, children }: NamesProps): VNode {
  const [open, setOpen] = useState<Open>();
  const { word } = kind;
  return (
    <section class="panel" aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        <ActionButton needs={kind.needs.create} onClick={() => setOpen({ what: 'new' })}>
          New {word}…
        </ActionButton>
      </div>
      <p class="note">{children}</p>
      <Loaded query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={`No ${word}s yet`} />
          ) : (
            <Table caption={title} columns={columnsOf(kind, setOpen)} rows={rows} keyOf={({ _id }) => _id} />
          )
        }
      </Loaded>
      {open !== undefined && (
        <NameDialog kind={kind} open={open} onClose={() => setOpen(undefined)} onDone={query.reload} />
      )}
    </section>
  );
}

function columnsOf({ type, rename, needs }: Kind, setOpen: (open: Open) => void): readonly Column<Row>[] {
  return [
    { label: 'Name', kind: 'main', cell: ({ name }) => name },
    { label: 'Created', kind: 'narrow', cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      label: '',
      kind: 'narrow',
      cell: (row) => (
        <span class="button-line">
          <HistoryLink type={type} id={row._id} of={row.name} />
          {rename && (
            <ActionButton needs={needs.rename} class="small" onClick={() => setOpen({ what: 'rename', row })}>
              Rename…<span class="unseen"> {row.name}</span>
            </ActionButton>
          )}
          <ActionButton needs={needs.remove} class="danger small" onClick={() => setOpen({ what: 'delete', row })}>
            Delete…<span class="unseen"> {row.name}</span>
          </ActionButton>
        </span>
      ),
    },
  ];
}

interface DialogProps {
  readonly kind: Kind;
  readonly open: Open;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function NameDialog({ kind, open, onClose, onDone }: DialogProps): VNode {
  const toast = useToast();
  const { word } = kind;
  const name = open.what === 'new' ? '' : open.row.name;
  const confirm = async (form: FormData): Promise<void> => {
    if (open.what === 'new') await kind.create(textIn(form, 'name'));
    else if (open.what === 'rename') await kind.rename?.(open.row, textIn(form, 'name'));
    else await kind.remove(open.row);
    toast(open.what === 'delete' ? `The ${word} ${name} is deleted.` : `The ${word} is saved.`);
    onDone();
  };
  if (open.what === 'delete') {
    return (
      <Confirm title={`Delete ${name}`} action="Delete" isDangerous onClose={onClose} onConfirm={confirm}>
        <p>This is refused while workflows use it.</p>
      </Confirm>
    );
  }
  return (
    <Confirm
      title={open.what === 'new' ? `New ${word}` : `Rename ${name}`}
      action={open.what === 'new' ? 'Create' : 'Rename'}
      onClose={onClose}
      onConfirm={confirm}
    >
      <RequiredField label="Name" name="name" value={name} />
    </Confirm>
  );
}
