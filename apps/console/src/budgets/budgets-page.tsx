import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { HistoryLink } from '../ui/history-link.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Table } from '../ui/table.js';
import { BudgetDialog, DeleteBudgetDialog } from './budget-dialogs.js';
import { type Budget, channelWords, limitWords, overWords } from './budget-words.js';

/** An environment has at most twenty. */
const ROWS = 50;

type Open = { readonly kind: 'new' } | { readonly kind: 'change' | 'delete'; readonly budget: Budget };

/** How many messages each subscriber gets, over all workflows. */
export function BudgetsPage(): VNode {
  const api = useApi();
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const query = useQuery('budgets', (signal) =>
    bodyOf(api.GET('/v1/budgets', { params: { query: { limit: ROWS } }, signal })),
  );
  return (
    <Page
      title="Budgets"
      actions={
        <ActionButton needs="createBudget" class="primary" onClick={() => setOpen({ kind: 'new' })}>
          New budget…
        </ActionButton>
      }
    >
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No budgets yet">
              <p>
                A budget limits how many messages a subscriber gets in a day or in a stretch of time, over all
                workflows. What is over it is not sent, or comes as one digest.
              </p>
            </Empty>
          ) : (
            <Table caption="Budgets, newest first" columns={columnsOf(setOpen)} rows={data} keyOf={({ _id }) => _id} />
          )
        }
      </Loaded>
      {open !== undefined && open.kind !== 'delete' && (
        <BudgetDialog budget={open.kind === 'change' ? open.budget : undefined} onClose={close} onDone={query.reload} />
      )}
      {open?.kind === 'delete' && <DeleteBudgetDialog budget={open.budget} onClose={close} onDone={query.reload} />}
    </Page>
  );
}

function columnsOf(setOpen: (open: Open) => void): readonly Column<Budget>[] {
  return [
    {
      label: 'Name',
      kind: 'main',
      cell: (budget) => (
        <span class="two-lines">
          <span>{budget.name}</span>
          <span class="soft plain">{channelWords(budget)}</span>
        </span>
      ),
    },
    { label: 'Each subscriber gets', kind: 'narrow', cell: (budget) => limitWords(budget) },
    { label: 'Over it', kind: 'narrow', cell: (budget) => overWords(budget) },
    {
      label: 'Status',
      kind: 'narrow',
      cell: ({ active }) => <Status tone={active ? 'good' : 'idle'} label={active ? 'Active' : 'Off'} />,
    },
    {
      label: '',
      kind: 'narrow',
      cell: (budget) => <HistoryLink type="budget" id={budget._id} of={budget.name} />,
    },
    {
      label: '',
      kind: 'narrow',
      cell: (budget) => (
        <ActionButton needs="replaceBudget" class="small" onClick={() => setOpen({ kind: 'change', budget })}>
          Change…<span class="unseen"> {budget.name}</span>
        </ActionButton>
      ),
    },
    {
      label: '',
      kind: 'narrow',
      cell: (budget) => (
        <ActionButton needs="deleteBudget" class="danger small" onClick={() => setOpen({ kind: 'delete', budget })}>
          Delete…<span class="unseen"> {budget.name}</span>
        </ActionButton>
      ),
    },
  ];
}
