import type { VNode } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { typeLabel } from '../activity/words.js';
import { bodyOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { PromoteLink } from '../environment/promote-link.js';
import { ApiReference } from '../ui/api-reference.js';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { TextField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Empty, Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { NewWorkflow } from './new-workflow.js';
import { channelsWithoutIntegration } from './workflow-words.js';

const ROWS = 30;

type Row = Schemas['WorkflowSummaryResponse'];

/** All workflows of the environment, newest first. */
export function WorkflowsPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.get('search') ?? '';
  const page = pageOf(parameters);
  const query = useQuery(`${page} ${text}`, (signal) => {
    const asked = { page, limit: ROWS, ...(text !== '' && { query: text }) };
    return bodyOf(api.GET('/v1/workflows', { params: { query: asked }, signal }));
  });
  return (
    <Page
      title="Workflows"
      actions={
        <>
          <PromoteLink />
          <NewWorkflow />
        </>
      }
    >
      <search class="filters" aria-label="Filters">
        <TextField
          label="Search"
          type="search"
          placeholder="Name or trigger identifier"
          value={text}
          onChange={(value) => setParameters(value.trim() === '' ? {} : { search: value.trim() })}
        />
      </search>
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 ? (
              <NoWorkflows isSearch={text !== ''} />
            ) : (
              <Table caption="Workflows, newest first" columns={COLUMNS} rows={data} keyOf={({ _id }) => _id} />
            )}
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function NoWorkflows({ isSearch }: { isSearch: boolean }): VNode {
  if (isSearch) return <Empty title="No matching workflows" />;
  return (
    <Empty title="No workflows yet">
      <p>
        A workflow defines what is sent when an event is triggered: its steps, their content and conditions. Begin with
        New workflow. <ApiReference />
      </p>
    </Empty>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    label: 'Workflow',
    kind: 'main',
    cell: ({ _id, name, triggers }) => (
      <span class="two-lines">
        <Link href={`/workflows/${_id}`}>{name}</Link>
        <code class="soft plain">{triggers[0]?.identifier}</code>
      </span>
    ),
  },
  {
    label: 'Steps',
    kind: 'wide',
    cell: (row) => {
      const lacking = channelsWithoutIntegration(row);
      return (
        <span class="two-lines">
          <ol class="step-words">
            {row.steps.map(({ _id, template, active }) => (
              <li key={_id} class={active ? undefined : 'off'}>
                <ChannelGlyph type={template.type} />
                {typeLabel(template.type)}
                {!active && ' (off)'}
              </li>
            ))}
          </ol>
          {row.steps.length === 0 && <span class="soft">No steps</span>}
          {lacking.length > 0 && (
            <span class="warn-text">No active integration for {lacking.map(typeLabel).join(', ')}</span>
          )}
        </span>
      );
    },
  },
  { label: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
  { label: 'Status', kind: 'narrow', cell: ({ active }) => <ActiveStatus isActive={active} /> },
  { label: 'Changed', kind: 'narrow', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
];

export function ActiveStatus({ isActive }: { isActive: boolean }): VNode {
  return <Status tone={isActive ? 'good' : 'idle'} label={isActive ? 'Active' : 'Inactive'} />;
}

export function Tags({ tags }: { tags: readonly string[] }): VNode | null {
  if (tags.length === 0) return null;
  return (
    <ul class="tags">
      {tags.map((tag) => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  );
}
