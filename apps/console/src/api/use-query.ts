import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, toFailure } from './failure.js';

export interface Query<T> {
  /** The last answer, also while the next one is on its way. */
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Known<T> {
  readonly key: string;
  readonly data?: T;
  readonly failure?: Failure;
}

/**
 * Loads something, again when its key changes, and at intervals while the tab is visible.
 * @param key tells what is loaded; an answer for another key is not shown
 * @param everyMs pause between two answers; without it, it is loaded once
 */
export function useQuery<T>(key: string, load: (signal: AbortSignal) => Promise<T>, everyMs?: number): Query<T> {
  const [known, setKnown] = useState<Known<T>>({ key: '' });
  const [round, setRound] = useState(0);
  const [isLoading, setLoading] = useState(true);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const stop = new AbortController();
    let timer: number | undefined;
    const run = async (): Promise<void> => {
      if (document.hidden) return again();
      setLoading(true);
      try {
        const data = await latest.current(stop.signal);
        if (stop.signal.aborted) return;
        setKnown({ key, data });
      } catch (error) {
        if (stop.signal.aborted) return;
        setKnown((before) => ({ ...(before.key === key && before), key, failure: toFailure(error) }));
      }
      setLoading(false);
      again();
    };
    const again = (): void => {
      if (everyMs !== undefined) timer = window.setTimeout(() => void run(), everyMs);
    };
    void run();
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [key, round, everyMs]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
  const current = known.key === key;
  return { data: current ? known.data : undefined, failure: current ? known.failure : undefined, isLoading, reload };
}
