import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { bodyOf, dataOf, type Schemas } from '../api/client.js';
import { newIdempotencyKey } from '../api/new-key.js';
import { type Query, useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { Field } from '../ui/fields.js';
import { Failed } from '../ui/states.js';
import { type Counted, countUpTo } from './count-up-to.js';
import { FilterWords } from './filter-words.js';
import { type Filters, replayFilterOf } from './filters.js';

const PAGE_SIZE = 100;
const PAGES = 10;
const MAX = 100_000;

interface Props {
  readonly filters: Filters;
  readonly workflows: readonly Schemas['WorkflowSummaryResponse'][];
  readonly onClose: () => void;
}

/** Counts the failed notifications that match, then replays them in the background. */
export function ReplayMatchingDialog({ filters, workflows, onClose }: Props): VNode {
  const api = useApi();
  const [, navigate] = useLocation();
  // What was counted is what is replayed, however long the dialog is open.
  const filter = useRef(replayFilterOf(filters, Date.now())).current;
  const key = useRef(newIdempotencyKey()).current;
  const { data: counted, failure } = useFailedCount('to replay', filter);
  const start = async (form: FormData): Promise<void> => {
    const body = {
      filter,
      limit: Number(form.get('limit')),
      includeUncertain: form.get('uncertain') !== null,
    };
    const params = { header: { 'Idempotency-Key': key } };
    const { _id } = await dataOf(api.POST('/v1/notifications/replay', { params, body }));
    navigate(`/replays/${_id}`);
  };
  return (
    <Confirm
      title="Replay failed notifications"
      action="Start replay"
      isDisabled={counted?.count === 0}
      onClose={onClose}
      onConfirm={start}
    >
      <FilterWords filter={filter} workflows={workflows} />
      <p aria-live="polite">
        <strong>{counted === undefined ? 'Counting…' : countWords(counted)}</strong>
      </p>
      {failure && <Failed failure={failure} />}
      <p class="note">
        Herald reruns each notification&rsquo;s failed steps, newest first, then the steps that were canceled because of
        them. Sent messages are not sent again. Fix the cause first, or the steps will fail again. You can stop the
        replay at any time.
      </p>
      <Field label="Replay at most">
        {(id) => (
          <input
            id={id}
            name="limit"
            type="number"
            required
            min={1}
            max={MAX}
            defaultValue={String(PAGE_SIZE * PAGES)}
          />
        )}
      </Field>
      <label class="check">
        <input type="checkbox" name="uncertain" />
        <span>
          Include messages the provider may already have accepted.{' '}
          <span class="soft">Recipients may get these twice.</span>
        </span>
      </label>
    </Confirm>
  );
}

/** How many failed notifications match, up to a thousand. */
export function useFailedCount(key: string, filter: Schemas['ReplayFilterDto'], everyMs?: number): Query<Counted> {
  const api = useApi();
  return useQuery(
    `failed ${key}`,
    (signal) =>
      countUpTo(PAGES, PAGE_SIZE, (page) => {
        const query = { ...filter, status: ['failed' as const], page, limit: PAGE_SIZE };
        return bodyOf(api.GET('/v1/notifications', { params: { query }, signal }));
      }),
    everyMs,
  );
}

function countWords({ count, hasMore }: { count: number; hasMore: boolean }): string {
  if (count === 0) return 'No failed notifications match these filters.';
  const number = count.toLocaleString('en');
  if (hasMore) return `More than ${number} failed notifications match.`;
  return count === 1 ? '1 failed notification matches.' : `${number} failed notifications match.`;
}
