import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Api, bodyOf } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useApi } from '../session.js';
import { Dialog } from '../ui/dialog.js';
import { Failed } from '../ui/states.js';
import { hostOf, type Webhook } from './webhook-words.js';

const ROWS = 100;
/** Each is a request of its own; more are for a script. */
const MAX_DELIVERIES = 1_000;

interface Progress {
  readonly sent: number;
  readonly total: number;
}

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Sends the failed deliveries again, one after the other, with progress and a stop. */
export function ReplayFailedDialog({ webhook, onClose, onDone }: Props): VNode {
  const api = useApi();
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<Failure>();
  const [isOver, setOver] = useState(false);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const run = async (): Promise<void> => {
    setProgress({ sent: 0, total: 0 });
    try {
      const ids = await failedIds(api, webhook._id, stop.current.signal);
      setProgress({ sent: 0, total: ids.length });
      await replayAll(api, webhook._id, ids, stop.current.signal, (sent) => setProgress({ sent, total: ids.length }));
    } catch (error) {
      if (!stop.current.signal.aborted) setFailure(toFailure(error));
    }
    setOver(true);
    onDone();
  };
  return (
    <Dialog title="Resend failed deliveries" onClose={onClose}>
      <div class="form">
        {progress === undefined ? (
          <p>
            Herald posts each failed delivery, up to {MAX_DELIVERIES.toLocaleString('en')}, to {hostOf(webhook.url)}{' '}
            again. The <code>webhook-id</code> stays the same, so your receiver can ignore duplicates.
          </p>
        ) : (
          <div aria-live="polite">
            <p class="progress-line">
              <span>{isOver ? 'Done' : 'Sending…'}</span>
              <span>
                {progress.sent} of {progress.total}
              </span>
            </p>
            <progress value={progress.sent} max={Math.max(progress.total, 1)} aria-label="Deliveries resent" />
            {isOver && progress.total === 0 && failure === undefined && <p>There are no failed deliveries.</p>}
          </div>
        )}
        {failure && <Failed failure={failure} />}
        <div class="dialog-buttons">
          <button type="button" onClick={onClose}>
            {progress !== undefined && !isOver ? 'Stop' : 'Close'}
          </button>
          {progress === undefined && (
            <button type="button" class="primary" onClick={() => void run()}>
              Resend
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

async function failedIds(api: Api, webhookId: string, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 0; ids.length < MAX_DELIVERIES; page++) {
    const params = { path: { webhookId }, query: { status: 'failed' as const, page, limit: ROWS } };
    const found = await bodyOf(api.GET('/v1/webhooks/{webhookId}/deliveries', { params, signal }));
    ids.push(...found.data.map(({ _id }) => _id));
    if (!found.hasMore) break;
  }
  return ids.slice(0, MAX_DELIVERIES);
}

async function replayAll(
  api: Api,
  webhookId: string,
  ids: readonly string[],
  signal: AbortSignal,
  onSent: (sent: number) => void,
): Promise<void> {
  for (const [at, deliveryId] of ids.entries()) {
    const params = { path: { webhookId, deliveryId } };
    await bodyOf(api.POST('/v1/webhooks/{webhookId}/deliveries/{deliveryId}/replay', { params, signal }));
    onSent(at + 1);
  }
}
