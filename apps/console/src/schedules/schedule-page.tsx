import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { ActionButton, ActionLink } from '../access/action-button.js';
import { HistoryLink } from '../ui/history-link.js';
import { dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Page } from '../ui/page.js';
import { prettyJson } from '../ui/pretty-json.js';
import { Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { Ago } from '../ui/time.js';
import { Occurrences } from './occurrences.js';
import { DeleteDialog, PauseDialog, RunDialog } from './schedule-dialogs.js';
import {
  OF_SUBSCRIBER,
  outcomeWord,
  recipientWords,
  ruleWords,
  type Schedule,
  statusWord,
  timeIn,
  titleOf,
  zoneWords,
} from './schedule-words.js';

const REFRESH_MS = 10_000;

/** One schedule: how it stands, and what comes next. */
export function SchedulePage(): VNode {
  const api = useApi();
  const { scheduleId = '' } = useParams<{ scheduleId: string }>();
  const [open, setOpen] = useState<'pause' | 'run' | 'delete'>();
  const params = { path: { scheduleId } };
  const query = useQuery(
    `schedule ${scheduleId}`,
    (signal) => dataOf(api.GET('/v1/schedules/{scheduleId}', { params, signal })),
    REFRESH_MS,
  );
  const schedule = query.data;
  const close = (): void => setOpen(undefined);
  return (
    <Page
      title={schedule ? titleOf(schedule) : 'Schedule'}
      above={<Link href="/schedules">← Schedules</Link>}
      actions={
        schedule && (
          <>
            <HistoryLink type="schedule" id={schedule._id} />
            <ActionButton needs="runSchedule" onClick={() => setOpen('run')}>
              Run now…
            </ActionButton>
            {schedule.status !== 'ended' && (
              <ActionButton
                needs={schedule.status === 'paused' ? 'resumeSchedule' : 'pauseSchedule'}
                onClick={() => setOpen('pause')}
              >
                {schedule.status === 'paused' ? 'Resume…' : 'Pause…'}
              </ActionButton>
            )}
            <ActionButton needs="deleteSchedule" class="danger" onClick={() => setOpen('delete')}>
              Delete…
            </ActionButton>
            <ActionLink needs="updateSchedule" class="button primary" href={`/schedules/${schedule._id}/edit`}>
              Edit
            </ActionLink>
          </>
        )
      }
    >
      <Loaded query={query}>
        {(found) => (
          <>
            <Facts schedule={found} />
            <Next schedule={found} />
            <section class="panel">
              <h2>Payload</h2>
              <pre>{prettyJson(found.payload)}</pre>
            </section>
          </>
        )}
      </Loaded>
      {schedule && open === 'run' && <RunDialog schedule={schedule} onClose={close} />}
      {schedule && open === 'pause' && <PauseDialog schedule={schedule} onClose={close} onDone={query.reload} />}
      {schedule && open === 'delete' && <DeleteDialog schedule={schedule} onClose={close} />}
    </Page>
  );
}

function Next({ schedule }: { schedule: Schedule }): VNode {
  const api = useApi();
  const { _id: scheduleId, next, status, timezone, updatedAt } = schedule;
  const query = useQuery(`occurrences ${scheduleId} ${updatedAt} ${next?.at ?? ''}`, (signal) =>
    dataOf(api.GET('/v1/schedules/{scheduleId}/occurrences', { params: { path: { scheduleId } }, signal })),
  );
  return (
    <section class="panel">
      <h2>Next occurrences</h2>
      {status === 'paused' && <p class="warn-text">Paused: none of these occurs unless it is resumed.</p>}
      <Loaded query={query}>{(rows) => <Occurrences rows={rows} timezone={timezone} />}</Loaded>
    </section>
  );
}

function Facts({ schedule }: { schedule: Schedule }): VNode {
  const { workflow, rule, timezone, startAt, endAt, missed, tenant, actor, last } = schedule;
  const zone = timezone === OF_SUBSCRIBER ? undefined : timezone;
  const facts: readonly (readonly [string, VNode | string | undefined])[] = [
    ['Status', <Status {...statusWord(schedule)} />],
    ['Workflow', <code>{workflow}</code>],
    ['Occurs', `${ruleWords(rule)} (${zoneWords(timezone)})`],
    ['Recipients', recipientWords(schedule)],
    ['Not before', timeIn(startAt, zone)],
    ['Not after', endAt && timeIn(endAt, zone)],
    ['If missed', missed === 'skip' ? 'Skip' : 'Run once'],
    ['Tenant', tenant],
    ['Actor', actor],
  ];
  return (
    <section class="panel">
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        {last && (
          <div>
            <dt>Last occurrence</dt>
            <dd>
              <Status {...outcomeWord(last)} /> <Ago at={last.at} />{' '}
              {last.status === 'processed' && (
                <Link href={`/activity?transaction=${encodeURIComponent(last.transactionId)}`}>Show deliveries</Link>
              )}
            </dd>
          </div>
        )}
      </dl>
      {last?.error && <div class="notice bad below">{last.error}</div>}
    </section>
  );
}
