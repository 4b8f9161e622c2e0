import type { Schemas } from '../api/client.js';
import type { Counted } from '../activity/count-up-to.js';
import type { Tone } from '../ui/status.js';

export type Replay = Schemas['NotificationReplayResponse'];

const WORDS: Readonly<Record<Replay['status'], { readonly tone: Tone; readonly label: string }>> = {
  running: { tone: 'busy', label: 'Running' },
  stopping: { tone: 'busy', label: 'Stopping' },
  // What became of the messages is another question.
  completed: { tone: 'idle', label: 'Completed' },
  stopped: { tone: 'idle', label: 'Stopped' },
  failed: { tone: 'bad', label: 'Failed' },
};

export function replayWord({ status }: Pick<Replay, 'status'>): { readonly tone: Tone; readonly label: string } {
  return WORDS[status];
}

export const countOf = ({ count, hasMore }: Counted): string => `${count.toLocaleString('en')}${hasMore ? '+' : ''}`;

/** @param failed how many of the notifications have failed by now, with those that were not replayed; absent until they are counted */
export function outcomeWord(
  replay: Pick<Replay, 'status' | 'replayed'>,
  failed: Counted | undefined,
): { readonly tone: Tone; readonly label: string } {
  if (replay.status !== 'completed' || failed === undefined) return replayWord(replay);
  const replayed = `${replay.replayed.toLocaleString('en')} replayed`;
  if (failed.count === 0) return { tone: 'good', label: `Completed: ${replayed}, none failed` };
  return { tone: 'warn', label: `Completed: ${replayed}, ${countOf(failed)} failed now` };
}

export function isRunning({ status }: Pick<Replay, 'status'>): boolean {
  return status === 'running' || status === 'stopping';
}

const SKIPPED: Readonly<Record<keyof Replay['skipped'], string>> = {
  running: 'were still running',
  nothingFailed: 'no longer had failed steps',
  uncertain: 'may already have been sent',
  eventGone: 'had an event that is no longer stored',
};

/** Why some were not replayed, with numbers; nothing for a reason that did not occur. */
export function skippedWords(skipped: Replay['skipped']): string[] {
  return (Object.keys(SKIPPED) as (keyof Replay['skipped'])[])
    .filter((reason) => skipped[reason] > 0)
    .map((reason) => `${skipped[reason].toLocaleString('en')} ${SKIPPED[reason]}`);
}

/** The address of the failed notifications that a replay is about; filters with several values have no field for it. */
export function activityAddress({ filter }: Pick<Replay, 'filter'>): string {
  const { channels, templates, subscriberIds, transactionId, search } = filter;
  const values = {
    channel: channels?.[0],
    workflow: templates?.[0],
    subscriber: subscriberIds?.[0],
    transaction: transactionId,
    search,
  };
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(given).toString();
  return text === '' ? '/activity' : `/activity?${text}`;
}
