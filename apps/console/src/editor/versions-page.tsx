import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useParams, useSearchParams } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { type Column, Pager, Table } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { useToast } from '../ui/toasts.js';
import { useWorkflow } from '../workflows/workflow-page.js';
import { DifferenceView } from './difference-view.js';
import { LiveField } from './live-fields.js';

type Version = Schemas['WorkflowVersionResponse'];
const ROWS = 30;

const ACTIONS: Readonly<Record<NonNullable<Version['action']>, string>> = {
  created: 'Created',
  updated: 'Edited',
  activated: 'Switched on',
  deactivated: 'Switched off',
  defined: 'Set by a file or definition',
  promoted: 'Promoted',
  restored: 'Restored',
  deleted: 'Deleted',
};

/** The saved states of a workflow: who saved what when, what it changed, and the way back. */
export function VersionsPage(): VNode {
  const { workflowId = '' } = useParams<{ workflowId: string }>();
  const api = useApi();
  const workflow = useWorkflow(workflowId);
  const [parameters, setParameters] = useSearchParams();
  const page = pageOf(parameters);
  const query = useQuery(`versions ${workflowId} ${page}`, (signal) => {
    const params = { path: { workflowId }, query: { page, limit: ROWS } };
    return bodyOf(api.GET('/v1/workflows/{workflowId}/versions', { params, signal }));
  });
  const open = parameters.get('version');
  const choose = (version: number | undefined): void => {
    const next = withPage(parameters, page);
    next.delete('version');
    if (version !== undefined) next.set('version', String(version));
    setParameters(next);
  };
  const reload = (): void => {
    query.reload();
    workflow.reload();
    choose(undefined);
  };
  return (
    <Page
      title={workflow.data ? `Versions of ${workflow.data.name}` : 'Versions'}
      above={<Link href={`/workflows/${workflowId}`}>← {workflow.data?.name ?? 'Workflow'}</Link>}
      actions={
        <>
          <Link href={`/workflows/${workflowId}/compare`}>Compare in figures</Link>
          <Link href={`/workflows/${workflowId}/edit`}>Edit</Link>
        </>
      }
    >
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {open !== null && (
              <VersionPanel
                key={open}
                workflowId={workflowId}
                version={Number(open)}
                current={workflow.data?.__v}
                onClose={() => choose(undefined)}
                onRestored={reload}
              />
            )}
            <Table
              caption="Versions, newest first"
              columns={columnsFor(choose)}
              rows={data}
              keyOf={({ version }) => String(version)}
              classOf={({ version }) => (String(version) === open ? 'chosen' : undefined)}
            />
            <Pager page={page} hasMore={hasMore} onPage={(next) => setParameters(withPage(parameters, next))} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function columnsFor(choose: (version: number) => void): readonly Column<Version>[] {
  return [
    {
      label: 'Version',
      kind: 'main',
      cell: ({ version, isCurrent }) => (
        <>
          {version} {isCurrent && <Status tone="good" label="Current" />}
        </>
      ),
    },
    {
      label: 'Change',
      kind: 'wide',
      cell: ({ action, note, restoredVersion }) => (
        <>
          {action === undefined ? 'Saved' : ACTIONS[action]}
          {restoredVersion !== undefined && ` from version ${restoredVersion}`}
          {note !== undefined && <p class="shown-words">{note}</p>}
        </>
      ),
    },
    { label: 'By', cell: ({ apiKeyName, apiKeyId }) => apiKeyName ?? apiKeyId ?? 'Unknown' },
    { label: 'Saved', kind: 'narrow', cell: ({ savedAt }) => <Ago at={savedAt} /> },
    {
      label: 'Details',
      kind: 'narrow',
      cell: ({ version }) => (
        <button type="button" class="small" aria-label={`Show version ${version}`} onClick={() => choose(version)}>
          Show
        </button>
      ),
    },
  ];
}

interface PanelProps {
  readonly workflowId: string;
  readonly version: number;
  readonly current: number | undefined;
  readonly onClose: () => void;
  readonly onRestored: () => void;
}

function VersionPanel({ workflowId, version, current, onClose, onRestored }: PanelProps): VNode {
  const api = useApi();
  const [isAsking, setAsking] = useState(false);
  const [withCurrent, setWithCurrent] = useState(false);
  const since = withCurrent ? version : undefined;
  const shown = withCurrent ? current : version;
  const query = useQuery(`version ${workflowId} ${shown} ${since}`, (signal) =>
    dataOf(
      api.GET('/v1/workflows/{workflowId}/versions/{version}', {
        params: { path: { workflowId, version: shown ?? version }, query: since === undefined ? {} : { since } },
        signal,
      }),
    ),
  );
  const isFormer = current !== undefined && version < current;
  return (
    <section class="panel" aria-labelledby="version-heading">
      <div class="step-form-head">
        <h2 id="version-heading">
          {withCurrent ? `From version ${version} to the current one` : `What version ${version} changed`}
        </h2>
        <div class="button-line">
          {isFormer && (
            <>
              <button
                type="button"
                class="small"
                aria-pressed={withCurrent}
                onClick={() => setWithCurrent(!withCurrent)}
              >
                Compare with current
              </button>
              <ActionButton needs="restoreWorkflowVersion" class="small primary" onClick={() => setAsking(true)}>
                Restore…
              </ActionButton>
            </>
          )}
          <button type="button" class="small quiet" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
      <Loaded query={query}>{(details) => <DifferenceView version={details} />}</Loaded>
      {isAsking && current !== undefined && (
        <RestoreDialog
          workflowId={workflowId}
          version={version}
          current={current}
          onClose={() => setAsking(false)}
          onRestored={onRestored}
        />
      )}
    </section>
  );
}

function RestoreDialog({ workflowId, version, current, onClose, onRestored }: PanelProps): VNode {
  const api = useApi();
  const toast = useToast();
  const [note, setNote] = useState('');
  const restore = async (): Promise<void> => {
    const saved = await dataOf(
      api.POST('/v1/workflows/{workflowId}/versions/{version}/restore', {
        params: { path: { workflowId, version }, header: { 'If-Match': `"${current}"` } },
        body: note.trim() === '' ? {} : { note: note.trim() },
      }),
    );
    toast(`Version ${version} was restored as version ${saved.__v}.`);
    onRestored();
  };
  return (
    <Confirm title={`Restore version ${version}?`} action="Restore" onClose={onClose} onConfirm={restore}>
      <p>
        The workflow gets the content of this version, as a new version. Nothing is lost: the versions in between stay.
        Events that were already triggered continue as they began, and the workflow stays on or off.
      </p>
      <LiveField label="Note (optional)" value={note} onInput={setNote} />
    </Confirm>
  );
}
