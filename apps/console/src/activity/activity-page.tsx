import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { workflowNames } from './workflow-names.js';
import { ActionButton } from '../access/action-button.js';
import { bodyOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { Failed, Loading } from '../ui/states.js';
import { StatusMark } from '../ui/status.js';
import { Pager } from '../ui/table.js';
import { EmptyActivity } from './empty-activity.js';
import { FilterBar } from './filter-bar.js';
import { type Filters, filtersOf, pageOf, parametersOf, queryOf } from './filters.js';
import { NotificationTable } from './notification-table.js';
import { ReplayMatchingDialog } from './replay-matching.js';
import { rememberActivity } from './return-address.js';
import { useLiveRows } from './use-live-rows.js';
import { useWorkflows } from './use-workflows.js';

const ROWS = 50;
const LIVE_MS = 3_000;

/** What was triggered, newest first, and what became of it. */
export function ActivityPage(): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const [isLive, setLive] = useState(true);
  const [isReplaying, setReplaying] = useState(false);
  const workflows = useWorkflows();
  const filters = filtersOf(parameters);
  const page = pageOf(parameters);
  rememberActivity(parameters);
  const key = JSON.stringify(parametersOf(filters, page));
  const query = useQuery(
    key,
    (signal) => {
      const asked = { ...queryOf(filters, Date.now()), page, limit: ROWS };
      return bodyOf(api.GET('/v1/notifications', { params: { query: asked }, signal }));
    },
    isLive && page === 0 ? LIVE_MS : undefined,
  );
  const isBusy = query.data === undefined && query.failure === undefined;
  const table = useRef<HTMLDivElement>(null);
  const { rows, waiting, showNew } = useLiveRows(key, query.data, table);
  const show = (next: Filters, nextPage = 0): void => setParameters(parametersOf(next, nextPage));
  return (
    <Page
      title="Activity"
      actions={
        <>
          <LiveSwitch isLive={isLive} isFirstPage={page === 0} onLive={setLive} />
          <ActionButton needs="createNotificationReplay" onClick={() => setReplaying(true)}>
            Replay failed…
          </ActionButton>
        </>
      }
    >
      <FilterBar filters={filters} workflows={workflows} onFilters={(next) => show(next)} />
      {query.failure && <Failed failure={query.failure} onRetry={query.reload} />}
      <p class="waiting" aria-live="polite">
        {waiting > 0 && (
          <button type="button" class="primary" onClick={showNew}>
            Show {waiting} new
          </button>
        )}
      </p>
      <div ref={table} class="activity">
        {rows === undefined && isBusy && <Loading lines={10} />}
        {rows?.length === 0 && query.data && (
          <EmptyActivity filters={filters} workflows={workflows} onFilters={(next) => show(next)} />
        )}
        {rows !== undefined && rows.length > 0 && (
          <NotificationTable rows={rows} isBusy={isBusy} nameOf={workflowNames(workflows)} />
        )}
      </div>
      <Pager page={page} hasMore={query.data?.hasMore ?? false} onPage={(next) => show(filters, next)} />
      {isReplaying && (
        <ReplayMatchingDialog filters={filters} workflows={workflows} onClose={() => setReplaying(false)} />
      )}
    </Page>
  );
}

interface LiveSwitchProps {
  readonly isLive: boolean;
  readonly isFirstPage: boolean;
  readonly onLive: (isLive: boolean) => void;
}

function LiveSwitch({ isLive, isFirstPage, onLive }: LiveSwitchProps): VNode {
  if (!isFirstPage) return <span class="soft">Only the first page updates live</span>;
  return (
    <button type="button" class={isLive ? 'live on' : 'live'} onClick={() => onLive(!isLive)}>
      <StatusMark tone={isLive ? 'good' : 'idle'} />
      {isLive ? 'Live · Pause' : 'Paused · Resume'}
    </button>
  );
}
