import { type RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Identified, type LiveRow, updateInPlace } from './live-rows.js';

interface Page<T> {
  readonly data: readonly T[];
  readonly hasMore: boolean;
}

interface LiveRows<T> {
  /** Undefined until the first answer. */
  readonly rows: readonly LiveRow<T>[] | undefined;
  /** Newer rows that are not shown yet. */
  readonly waiting: number;
  readonly showNew: () => void;
}

/** From here on the reader is looking at rows further down. */
const TOP_PX = 120;

/**
 * The rows of a page that is loaded again and again. New ones are put on top only while the reader neither points at the
 * table, nor has the focus in it, nor has scrolled down: no row moves away from under a click.
 */
export function useLiveRows<T extends Identified>(
  key: string,
  page: Page<T> | undefined,
  table: RefObject<HTMLElement>,
): LiveRows<T> {
  const [shown, setShown] = useState<{ key: string; rows: readonly LiveRow<T>[]; waiting: number }>();
  const latest = useRef<Page<T>>();

  const showNew = useCallback(() => {
    const rows = (latest.current?.data ?? []).map((row) => ({ row, isGone: false }));
    setShown({ key, rows, waiting: 0 });
  }, [key]);

  useEffect(() => {
    if (page === undefined) return;
    latest.current = page;
    setShown((before) => {
      const isInUse = table.current !== null && table.current.matches(':hover, :focus-within');
      if (before?.key !== key || !(isInUse || window.scrollY > TOP_PX))
        return { key, rows: page.data.map((row) => ({ row, isGone: false })), waiting: 0 };
      return { key, ...updateInPlace(before.rows, page.data, page.hasMore) };
    });
  }, [key, page]);

  return { rows: shown?.rows, waiting: shown?.waiting ?? 0, showNew };
}
