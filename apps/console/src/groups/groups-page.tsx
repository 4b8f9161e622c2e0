import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import type { Operation } from '../access/refusals.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { type Query, useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { RequiredField, TextField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { HistoryLink } from '../ui/history-link.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { type Column, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';

type Row = Pick<Schemas['FeedResponse'], '_id' | 'name' | 'createdAt'> &
  Pick<Schemas['NotificationGroupResponse'], 'description' | 'order'>;

/** What happens to a row, and what is said of it. */
interface Kind {
  readonly word: 'feed' | 'group';
  /** As the audit log names it. */
  readonly type: string;
  readonly needs: { readonly create: Operation; readonly change: Operation; readonly remove: Operation };
  readonly create: (form: FormData) => Promise<unknown>;
  readonly change?: (row: Row, form: FormData) => Promise<unknown>;
  /** Besides the name. */
  readonly fields?: (row: Row | undefined) => VNode;
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
    needs: { create: 'createFeed', change: 'createFeed', remove: 'deleteFeed' },
    create: (form) => dataOf(api.POST('/v1/feeds', { body: { name: textIn(form, 'name') } })),
    remove: ({ _id: feedId }) => bodyOf(api.DELETE('/v1/feeds/{feedId}', { params: { path: { feedId } } })),
  };
  const ofGroups: Kind = {
    word: 'group',
    type: 'notification-group',
    needs: {
      create: 'createNotificationGroup',
      change: 'updateNotificationGroup',
      remove: 'deleteNotificationGroup',
    },
    create: (form) => dataOf(api.POST('/v1/notification-groups', { body: sentGroup(form) })),
    change: ({ _id: groupId }, form) =>
      dataOf(api.PATCH('/v1/notification-groups/{groupId}', { params: { path: { groupId } }, body: sentGroup(form) })),
    fields: (row) => <GroupFields row={row} />,
    remove: ({ _id: groupId }) =>
      bodyOf(api.DELETE('/v1/notification-groups/{groupId}', { params: { path: { groupId } } })),
  };
  return (
    <Page title="Feeds and groups">
      <Names title="Feeds" kind={ofFeeds} query={feeds}>
        A feed is a tab of the inbox. An in-app step can name one.
      </Names>
      <Names title="Workflow groups" kind={ofGroups} query={groups}>
        Each workflow belongs to one group; a new one to the first, unless it names another. Recipients see the groups
        that have an order or a description where they choose what reaches them.
      </Names>
    </Page>
  );
}

/** As a request has it: null removes what the form leaves empty. */
function sentGroup(form: FormData): Schemas['UpdateNotificationGroupDto'] {
  const [description, order] = [textIn(form, 'description'), textIn(form, 'order')];
  return {
    name: textIn(form, 'name'),
    description: description === '' ? null : description,
    order: order === '' ? null : Number(order),
  };
}

function GroupFields({ row }: { readonly row: Row | undefined }): VNode {
  return (
    <>
      <TextField
        label="Description"
        name="description"
        value={row?.description ?? ''}
        note="Recipients read it below the name."
      />
      <TextField
        label="Order"
        name="order"
        type="number"
        value={row?.order?.toString() ?? ''}
        note="The smallest comes first."
      />
    </>
  );
}

interface NamesProps {
  readonly title: string;
  readonly kind: Kind;
  readonly query: Query<readonly Row[]>;
  readonly children: ComponentChildren;
}

type Open = { readonly what: 'new' } | { readonly what: 'change' | 'delete'; readonly row: Row };

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

function columnsOf({ type, change, fields, needs }: Kind, setOpen: (open: Open) => void): readonly Column<Row>[] {
  return [
    {
      label: 'Name',
      kind: 'main',
      cell: ({ name, description }) =>
        description === undefined ? (
          name
        ) : (
          <span class="two-lines">
            <span>{name}</span>
            <span class="soft">{description}</span>
          </span>
        ),
    },
    ...(fields ? [{ label: 'Order', kind: 'narrow' as const, cell: ({ order }: Row) => order }] : []),
    { label: 'Created', kind: 'narrow', cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      label: '',
      kind: 'narrow',
      cell: (row) => (
        <span class="button-line">
          <HistoryLink type={type} id={row._id} of={row.name} />
          {change && (
            <ActionButton needs={needs.change} class="small" onClick={() => setOpen({ what: 'change', row })}>
              Change…<span class="unseen"> {row.name}</span>
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
  const { word, fields } = kind;
  const row = open.what === 'new' ? undefined : open.row;
  const name = row?.name ?? '';
  const confirm = async (form: FormData): Promise<void> => {
    if (open.what === 'new') await kind.create(form);
    else if (open.what === 'change') await kind.change?.(open.row, form);
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
      title={open.what === 'new' ? `New ${word}` : `Change ${name}`}
      action={open.what === 'new' ? 'Create' : 'Save'}
      onClose={onClose}
      onConfirm={confirm}
    >
      <RequiredField label="Name" name="name" value={name} />
      {fields?.(row)}
    </Confirm>
  );
}
