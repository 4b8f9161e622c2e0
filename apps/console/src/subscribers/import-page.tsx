import type { VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { type Failure, toFailure } from '../api/failure.js';
import { dataOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Field } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { Failed } from '../ui/states.js';
import { Table } from '../ui/table.js';
import {
  checkedRows,
  type Fault,
  guessedTargets,
  nextPortion,
  refusedRows,
  type Row,
  type Target,
} from './import-rows.js';
import { SUBSCRIBER_FIELDS } from './subscriber-fields.js';

interface SheetOf {
  readonly file: string;
  readonly headings: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

const SHOWN_FAULTS = 100;
const SHOWN_ROWS = 3;
const TARGETS: readonly { readonly value: Target; readonly label: string }[] = [
  { value: 'subscriberId', label: 'Subscriber id' },
  ...SUBSCRIBER_FIELDS.map(({ name, label }) => ({ value: name, label })),
  { value: 'data', label: 'A field of data' },
  { value: 'none', label: 'Is not imported' },
];

/** Makes or changes subscribers from a file: it is read and checked in the browser before anything is sent. */
export function ImportPage(): VNode {
  const [sheet, setSheet] = useState<SheetOf>();
  const [problem, setProblem] = useState<string>();
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const read = await readSheet(file);
    setSheet(typeof read === 'string' ? undefined : read);
    setProblem(typeof read === 'string' ? read : undefined);
  };
  return (
    <Page title="Import subscribers" above={<Link href="/subscribers">← Subscribers</Link>}>
      <section class="panel form">
        <Field
          label="CSV file"
          note="With a heading. One column has your id of each person; subscribers that exist are updated, and empty cells change nothing."
        >
          {(id, describedBy) => (
            <input
              id={id}
              type="file"
              accept=".csv,.tsv,text/csv,text/tab-separated-values"
              aria-describedby={describedBy}
              onChange={(event) => void open(event.currentTarget.files?.[0])}
            />
          )}
        </Field>
        {problem !== undefined && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
      </section>
      {sheet && <Sheet key={`${sheet.file} ${sheet.lines.length}`} sheet={sheet} />}
    </Page>
  );
}

/** @returns what is wrong with the file, if it cannot be read */
async function readSheet(file: File): Promise<SheetOf | string> {
  const { default: Papa } = await import('papaparse');
  const { data, errors } = Papa.parse<string[]>((await file.text()).replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
  });
  const [headings, ...lines] = data;
  const [error] = errors.filter(({ type }) => type === 'Quotes');
  if (error !== undefined) return `${file.name} cannot be read: ${error.message} in row ${(error.row ?? 0) + 1}.`;
  if (headings === undefined || lines.length === 0) return `${file.name} has no rows below the heading.`;
  return { file: file.name, headings, lines };
}

function Sheet({ sheet: { headings, lines } }: { sheet: SheetOf }): VNode {
  const [targets, setTargets] = useState(() => guessedTargets(headings));
  const { rows, faults } = useMemo(() => checkedRows(headings, lines, targets), [headings, lines, targets]);
  const hasId = targets.includes('subscriberId');
  return (
    <>
      <section class="panel" aria-label="Columns">
        <h2>Columns</h2>
        <Table
          caption="Columns of the file"
          rows={headings.map((heading, column) => ({ heading, column }))}
          keyOf={({ column }) => String(column)}
          columns={[
            { label: 'Column', kind: 'main', cell: ({ heading, column }) => heading || `Column ${column + 1}` },
            {
              label: 'Goes to',
              cell: ({ heading, column }) => (
                <select
                  aria-label={`Where ${heading} goes`}
                  value={targets[column]}
                  onChange={(event) => {
                    const target = event.currentTarget.value as Target;
                    setTargets(targets.map((one, at) => (at === column ? target : one)));
                  }}
                >
                  {TARGETS.map(({ value, label }) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              ),
            },
            {
              label: 'First rows',
              kind: 'wide',
              cell: ({ column }) =>
                lines
                  .slice(0, SHOWN_ROWS)
                  .map((cells) => cells[column] ?? '')
                  .filter((text) => text !== '')
                  .join(', '),
            },
          ]}
        />
      </section>
      {hasId ? (
        <Import key={targets.join()} rows={rows} faults={faults} />
      ) : (
        <p class="notice warn" role="status">
          Choose the column that has the subscriber id.
        </p>
      )}
    </>
  );
}

interface Progress {
  readonly done: number;
  readonly created: number;
  readonly updated: number;
  readonly refused: readonly Fault[];
}

const NOTHING: Progress = { done: 0, created: 0, updated: 0, refused: [] };

function Import({ rows, faults }: { rows: readonly Row[]; faults: readonly Fault[] }): VNode {
  const { progress, isRunning, failure, run, stop } = useImport(rows);
  const { done, created, updated, refused } = progress;
  const isDone = rows.length > 0 && done === rows.length;
  return (
    <section class="panel form" aria-label="Import">
      <h2>{isDone ? 'Imported' : 'Check'}</h2>
      <p role="status">
        {done === 0
          ? `${count(rows.length, 'row')} can be imported${faults.length > 0 ? `, ${count(faults.length, 'row')} cannot` : ''}.`
          : `${done.toLocaleString('en')} of ${count(rows.length, 'row')}: ${created.toLocaleString('en')} created, ${updated.toLocaleString('en')} updated, ${refused.length.toLocaleString('en')} refused.`}
      </p>
      {(isRunning || done > 0) && <progress max={rows.length} value={done} aria-label="Rows that were sent" />}
      {failure && <Failed failure={failure} />}
      <Faults faults={[...faults, ...refused]} />
      <div class="button-line">
        {isRunning ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          !isDone && (
            <ActionButton
              needs="bulkCreateSubscribers"
              class="primary"
              disabled={rows.length === 0}
              onClick={() => void run()}
            >
              {done === 0 ? `Import ${count(rows.length, 'row')}` : 'Continue'}
            </ActionButton>
          )
        )}
        {isDone && <Link href="/subscribers">View subscribers</Link>}
      </div>
    </section>
  );
}

function Faults({ faults }: { faults: readonly Fault[] }): VNode | null {
  if (faults.length === 0) return null;
  return (
    <details open>
      <summary>{count(faults.length, 'row')} with a fault</summary>
      {faults.length > SHOWN_FAULTS && <p class="note">The first {SHOWN_FAULTS} are shown.</p>}
      <Table
        caption="Rows with a fault"
        rows={faults.slice(0, SHOWN_FAULTS)}
        keyOf={({ line }) => String(line)}
        columns={[
          { label: 'Line', kind: 'narrow', cell: ({ line }) => line },
          { label: 'Id', kind: 'main', cell: ({ subscriberId }) => subscriberId || '(none)' },
          { label: 'Fault', kind: 'wide', cell: ({ message }) => message },
        ]}
      />
    </details>
  );
}

interface Running {
  readonly progress: Progress;
  readonly isRunning: boolean;
  readonly failure: Failure | undefined;
  readonly run: () => Promise<void>;
  readonly stop: () => void;
}

/** Sends the rows, one request after the other. After a failure it can go on where it stopped. */
function useImport(rows: readonly Row[]): Running {
  const api = useApi();
  const [progress, setProgress] = useState(NOTHING);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const isStopped = useRef(false);
  const send = async (portion: readonly Row[]): Promise<Omit<Progress, 'done'>> => {
    const body = { subscribers: portion.map(({ subscriber }) => subscriber) };
    const { created, updated, failed } = await dataOf(api.POST('/v1/subscribers/bulk', { body }));
    return { created: created.length, updated: updated.length, refused: refusedRows(portion, failed) };
  };
  const run = async (): Promise<void> => {
    setRunning(true);
    setFailure(undefined);
    isStopped.current = false;
    try {
      for (let now = progress; now.done < rows.length && !isStopped.current; setProgress(now)) {
        const portion = nextPortion(rows, now.done);
        const { created, updated, refused } = await send(portion);
        now = {
          done: now.done + portion.length,
          created: now.created + created,
          updated: now.updated + updated,
          refused: [...now.refused, ...refused],
        };
      }
    } catch (error) {
      setFailure(toFailure(error));
    }
    setRunning(false);
  };
  return { progress, isRunning, failure, run, stop: () => (isStopped.current = true) };
}

function count(rows: number, word: string): string {
  return `${rows.toLocaleString('en')} ${word}${rows === 1 ? '' : 's'}`;
}
