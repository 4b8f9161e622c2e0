import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { plainWords } from '../api/plain-words.js';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import type { Counted } from '../activity/count-up-to.js';
import { FilterWords } from '../activity/filter-words.js';
import { useFailedCount } from '../activity/replay-matching.js';
import { useWorkflows } from '../activity/use-workflows.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Page } from '../ui/page.js';
import { Loaded } from '../ui/states.js';
import { Status } from '../ui/status.js';
import { useToast } from '../ui/toasts.js';
import { Ago, Moment } from '../ui/time.js';
import { activityAddress, countOf, isRunning, outcomeWord, type Replay, skippedWords } from './replay-words.js';

const POLL_MS = 1_000;
/** The steps go on after the replay has put them back. */
const FAILED_MS = 3_000;

/** The progress of a replay of many notifications, and a way to stop it. */
export function ReplayPage(): VNode {
  const api = useApi();
  const toast = useToast();
  const { replayId = '' } = useParams<{ replayId: string }>();
  const [isStopping, setStopping] = useState(false);
  const [isOver, setOver] = useState(false);
  const query = useQuery(
    replayId,
    async (signal) => {
      const params = { path: { replayId } };
      const replay = await dataOf(api.GET('/v1/notifications/replays/{replayId}', { params, signal }));
      setOver(!isRunning(replay));
      return replay;
    },
    isOver ? undefined : POLL_MS,
  );
  const stop = async (): Promise<void> => {
    await dataOf(api.POST('/v1/notifications/replays/{replayId}/stop', { params: { path: { replayId } } }));
    toast('Stopping the replay.');
    query.reload();
  };
  return (
    <Page
      title="Replay"
      above={<Link href="/replays">← All replays</Link>}
      actions={
        query.data?.status === 'running' && (
          <ActionButton needs="stopNotificationReplay" class="danger" onClick={() => setStopping(true)}>
            Stop…
          </ActionButton>
        )
      }
    >
      <Loaded query={query}>{(replay) => <Progress replay={replay} />}</Loaded>
      {isStopping && (
        <Confirm
          title="Stop this replay"
          action="Stop replay"
          isDangerous
          onClose={() => setStopping(false)}
          onConfirm={stop}
        >
          <p>Notifications that have already been replayed will be delivered. The others stay failed.</p>
        </Confirm>
      )}
    </Page>
  );
}

/** How many of the notifications that the replay is about have failed by now, once it has ended. */
function useFailed(replay: Replay): Counted | undefined {
  const isOver = !isRunning(replay);
  const filter = { ...replay.filter, to: replay.filter.to ?? replay.createdAt };
  const { data } = useFailedCount(`${replay._id} ${isOver}`, filter, isOver ? FAILED_MS : undefined);
  return isOver ? data : undefined;
}

function Progress({ replay }: { replay: Replay }): VNode {
  const workflows = useWorkflows();
  const failed = useFailed(replay);
  const { total, examined, replayed, limit, skipped, error, endedAt, createdAt } = replay;
  const words = skippedWords(skipped);
  return (
    <>
      <section class="panel" aria-live="polite">
        <p class="progress-line">
          <Status {...outcomeWord(replay, failed)} />
          <span>
            {examined.toLocaleString('en')} of {total === undefined ? '…' : total.toLocaleString('en')}
          </span>
        </p>
        <progress value={examined} max={Math.max(total ?? 1, 1)} aria-label="Notifications examined" />
        <dl class="figures">
          <div>
            <dt>Replayed</dt>
            <dd>{replayed.toLocaleString('en')}</dd>
          </div>
          <div>
            <dt>Not replayed</dt>
            <dd>{(examined - replayed).toLocaleString('en')}</dd>
          </div>
          {failed !== undefined && (
            <div>
              <dt>Failed now</dt>
              <dd>{countOf(failed)}</dd>
            </div>
          )}
        </dl>
        {words.length > 0 && <p class="note">Not replayed: {words.join('; ')}.</p>}
        {error !== undefined && <p class="notice bad">{plainWords(error)}</p>}
        {!isRunning(replay) && (
          <p>
            <Link href={activityAddress(replay)}>View these notifications</Link>. Those that fail again are listed with
            the status Failed.
          </p>
        )}
      </section>
      <section class="panel">
        <h2>Filters</h2>
        <FilterWords filter={replay.filter} workflows={workflows} />
        <p class="note">
          At most {limit.toLocaleString('en')}
          {replay.includeUncertain
            ? ', including messages the provider may already have accepted'
            : ', excluding messages the provider may already have accepted'}
          . Started <Moment at={createdAt} />
          {endedAt !== undefined && (
            <>
              , ended <Ago at={endedAt} />
            </>
          )}
          .
        </p>
      </section>
    </>
  );
}
