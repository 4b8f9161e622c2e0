import type { ComponentChildren, VNode } from 'preact';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `main` names the row, `number` is aligned to the right, `wide` takes what is left. */
  readonly kind?: 'main' | 'number' | 'wide' | 'narrow';
}

interface Props<Row> {
  /** What the table shows, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly classOf?: (row: Row) => string | undefined;
  /** While other rows are on their way. */
  readonly isBusy?: boolean;
}

/** A table whose rows become blocks with labels where it is narrow. */
export function Table<Row>({ caption, columns, rows, keyOf, classOf, isBusy = false }: Props<Row>): VNode {
  return (
    <table class="table" aria-busy={isBusy}>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ label, kind }) => (
            <th key={label} scope="col" class={kind}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class={classOf?.(row)}>
            {columns.map(({ label, cell, kind }) =>
              kind === 'main' ? (
                <th key={label} scope="row" class={kind} data-label={label}>
                  {cell(row)}
                </th>
              ) : (
                <td key={label} class={kind} data-label={label}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface PagerProps {
  readonly page: number;
  readonly hasMore: boolean;
  readonly onPage: (page: number) => void;
}

export function Pager({ page, hasMore, onPage }: PagerProps): VNode | null {
  if (page === 0 && !hasMore) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={page === 0} onClick={() => onPage(0)}>
        First
      </button>
      <button type="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>Page {(page + 1).toLocaleString()}</span>
      <button type="button" disabled={!hasMore} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}
