import type { VNode } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { SelectField, TextField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { deciderWord, kindWord, type Question, STATUSES, statusWord, valueWord } from './question-words.js';

const ROWS = 30;
const POLL_MS = 10_000;

/** The questions of the environment, newest first. */
export function QuestionsPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const page = pageOf(parameters);
  const status = parameters.get('status') ?? '';
  const subscriberId = parameters.get('subscriber') ?? '';
  const query = useQuery(
    `questions ${page} ${status} ${subscriberId}`,
    (signal) => {
      const known = STATUSES.some(({ value }) => value === status && value !== '');
      const filter = {
        ...(known && { status: status as Question['status'] }),
        ...(subscriberId !== '' && { subscriberId }),
      };
      return bodyOf(api.GET('/v1/questions', { params: { query: { page, limit: ROWS, ...filter } }, signal }));
    },
    POLL_MS,
  );
  const set = (name: string, value: string): void => {
    const next = withPage(parameters, 0);
    if (value.trim() === '') next.delete(name);
    else next.set(name, value.trim());
    setParameters(next);
  };
  const isFiltered = status !== '' || subscriberId !== '';
  return (
    <Page title="Questions">
      <search class="filters" aria-label="Filters">
        <SelectField label="Status" value={status} choices={STATUSES} onChange={(value) => set('status', value)} />
        <TextField
          label="Asked"
          type="search"
          placeholder="ada"
          value={subscriberId}
          onChange={(value) => set('subscriber', value)}
        />
      </search>
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <NoQuestions isFiltered={isFiltered} />
            ) : (
              <Table caption="Questions, newest first" columns={COLUMNS} rows={data} keyOf={({ _id }) => _id} />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function NoQuestions({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered) return <Empty title="No matching questions" />;
  return (
    <Empty title="No questions yet">
      <p>
        Your server, a step of a workflow or an agent asks people to approve, to choose or for a value. What an agent
        may not send without a person waits here as well.
      </p>
    </Empty>
  );
}

const COLUMNS: readonly Column<Question>[] = [
  {
    label: 'Question',
    kind: 'main',
    cell: (row) => (
      <span class="two-lines">
        <Link href={`/questions/${row._id}`}>{row.title}</Link>
        <span class="soft">{kindWord(row)}</span>
      </span>
    ),
  },
  { label: 'Status', kind: 'narrow', cell: (row) => <Status {...statusWord(row)} /> },
  {
    label: 'Outcome',
    kind: 'wide',
    cell: ({ outcome, options }) =>
      outcome && (
        <span class="two-lines">
          <span>{outcome.value === undefined ? '' : valueWord({ options }, outcome.value)}</span>
          <span class="soft">{deciderWord(outcome)}</span>
        </span>
      ),
  },
  {
    label: 'Answers',
    kind: 'number',
    cell: ({ answers, people }) => (people.length === 0 ? '' : `${answers.length} of ${people.length}`),
  },
  { label: 'Asked', kind: 'narrow', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    label: 'Ends',
    kind: 'narrow',
    cell: ({ expiresAt, outcome }) => <Ago at={outcome?.at ?? expiresAt} />,
  },
];
