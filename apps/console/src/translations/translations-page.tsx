import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { bodyOf, dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi, useSession } from '../session.js';
import { TextField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { saveFile } from '../ui/save-file.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { DeleteLocaleDialog, EditDialog, ImportDialog, NewLocaleDialog } from './dialogs.js';
import { filtered, lacking, type Locale, type Missed, type Row, type RowFilter, rowsOf } from './words-table.js';

type Open =
  | { readonly kind: 'locale' }
  | { readonly kind: 'import' | 'delete'; readonly locale: Locale }
  | { readonly kind: 'key'; readonly row: Row | undefined };

const ROWS = 50;

/** The words of messages, by key and locale. */
export function TranslationsPage(): VNode {
  const api = useApi();
  const { environment } = useSession();
  const [open, setOpen] = useState<Open>();
  const query = useQuery('translations', async (signal) => {
    const [{ data: known }, { data: missed }] = await Promise.all([
      bodyOf(api.GET('/v1/translations', { signal })),
      bodyOf(api.GET('/v1/translations/missing', { signal })),
    ]);
    const read = known.map(({ locale }) =>
      dataOf(api.GET('/v1/translations/{locale}', { params: { path: { locale } }, signal })),
    );
    return { locales: await Promise.all(read), missed };
  });
  const close = (): void => setOpen(undefined);
  const locales = query.data?.locales ?? [];
  return (
    <Page
      title="Translations"
      actions={
        query.data && (
          <>
            {locales.length > 0 && (
              <ActionButton needs="changeTranslation" onClick={() => setOpen({ kind: 'key', row: undefined })}>
                Add a key…
              </ActionButton>
            )}
            <ActionButton needs="setTranslation" class="primary" onClick={() => setOpen({ kind: 'locale' })}>
              Add a locale…
            </ActionButton>
          </>
        )
      }
    >
      <p class="note intro">
        Words of the {environment.name} environment. Templates show them with <code>{"{{t 'key' name=value}}"}</code> in
        the language of each recipient.
      </p>
      <Loaded query={query}>{(data) => <Words {...data} onOpen={setOpen} />}</Loaded>
      {open?.kind === 'locale' && <NewLocaleDialog onClose={close} onDone={query.reload} />}
      {open?.kind === 'import' && <ImportDialog locale={open.locale} onClose={close} onDone={query.reload} />}
      {open?.kind === 'delete' && <DeleteLocaleDialog locale={open.locale} onClose={close} onDone={query.reload} />}
      {open?.kind === 'key' && <EditDialog row={open.row} locales={locales} onClose={close} onDone={query.reload} />}
    </Page>
  );
}

interface WordsProps {
  readonly locales: readonly Locale[];
  readonly missed: readonly Missed[];
  readonly onOpen: (open: Open) => void;
}

function Words({ locales, missed, onOpen }: WordsProps): VNode {
  const [filter, setFilter] = useState<RowFilter>({ text: '', onlyMissing: false });
  const [page, setPage] = useState(0);
  const rows = filtered(rowsOf(locales, missed), locales, filter);
  const shown = rows.slice(page * ROWS, (page + 1) * ROWS);
  const change = (next: Partial<RowFilter>): void => {
    setPage(0);
    setFilter({ ...filter, ...next });
  };
  if (locales.length === 0 && missed.length === 0) {
    return (
      <Empty title="No translations yet">
        <p>Add the locale in which your messages are written. It is the default for all recipients.</p>
      </Empty>
    );
  }
  return (
    <>
      <Table caption="Locales" columns={localeColumns(locales, onOpen)} rows={locales} keyOf={({ locale }) => locale} />
      <div class="words-filter">
        <TextField label="Key or words" type="search" value={filter.text} onChange={(text) => change({ text })} />
        <label class="check">
          <input
            type="checkbox"
            checked={filter.onlyMissing}
            onChange={(event) => change({ onlyMissing: event.currentTarget.checked })}
          />
          <span>Only missing ones</span>
        </label>
      </div>
      {rows.length === 0 ? (
        <Empty title="No keys" />
      ) : (
        <div class="words-scroll" tabIndex={0} role="region" aria-label="Messages by key and locale">
          <Table caption="Messages" columns={columnsOf(locales, onOpen)} rows={shown} keyOf={({ key }) => key} />
        </div>
      )}
      <Pager page={page} hasMore={(page + 1) * ROWS < rows.length} onPage={setPage} />
    </>
  );
}

function localeColumns(all: readonly Locale[], onOpen: (open: Open) => void): readonly Column<Locale>[] {
  return [
    {
      label: 'Locale',
      kind: 'main',
      cell: ({ locale, isDefault }) => (
        <span>
          <code>{locale}</code> {languageName(locale)} {isDefault && <span class="badge">default</span>}
        </span>
      ),
    },
    { label: 'Keys', kind: 'number', cell: ({ keyCount }) => keyCount.toLocaleString() },
    {
      label: 'Missing',
      kind: 'number',
      cell: (locale) => {
        const count = lacking(locale, all);
        return count === 0 ? '0' : <strong class="warn-text">{count.toLocaleString()}</strong>;
      },
    },
    {
      label: '',
      kind: 'narrow',
      cell: (locale) => (
        <span class="words-actions">
          <ActionButton needs="setTranslation" class="small" onClick={() => onOpen({ kind: 'import', locale })}>
            Import…<span class="unseen"> {locale.locale}</span>
          </ActionButton>
          <button type="button" class="small" onClick={() => download(locale)}>
            Export<span class="unseen"> {locale.locale}</span>
          </button>
          <ActionButton
            needs="deleteTranslation"
            class="danger small"
            onClick={() => onOpen({ kind: 'delete', locale })}
          >
            Delete…<span class="unseen"> {locale.locale}</span>
          </ActionButton>
        </span>
      ),
    },
  ];
}

function columnsOf(locales: readonly Locale[], onOpen: (open: Open) => void): readonly Column<Row>[] {
  return [
    {
      label: 'Key',
      kind: 'main',
      cell: (row) => (
        <span class="two-lines">
          <ActionButton needs="changeTranslation" class="quiet" onClick={() => onOpen({ kind: 'key', row })}>
            <code>{row.key}</code>
          </ActionButton>
          {row.missed.length > 0 && <span class="warn-text">missing in messages: {row.missed.join(', ')}</span>}
        </span>
      ),
    },
    ...locales.map(({ locale, direction }): Column<Row> => ({
      label: locale,
      cell: ({ messages }) =>
        messages[locale] === undefined ? (
          <span class="warn-text">missing</span>
        ) : (
          <span lang={locale} dir={direction}>
            {messages[locale]}
          </span>
        ),
    })),
  ];
}

function languageName(locale: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(locale) ?? '';
  } catch {
    return '';
  }
}

/** As a file of `herald pull`. */
function download({ locale, isDefault, messages }: Locale): void {
  const text = `${JSON.stringify({ locale, ...(isDefault && { isDefault }), messages }, undefined, 2)}\n`;
  saveFile(`${locale}.json`, text);
}
