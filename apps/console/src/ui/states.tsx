import type { ComponentChildren, VNode } from 'preact';
import type { Failure } from '../api/failure.js';
import type { Query } from '../api/use-query.js';

/** What failed, in the words of the API, and what to do. */
export function Failed({ failure, onRetry }: { failure: Failure; onRetry?: () => void }): VNode {
  return (
    <div class="notice bad" role="alert">
      {failure.texts.length === 1 ? (
        <p>{failure.texts[0]}</p>
      ) : (
        <ul>
          {failure.texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {failure.advice && <p>{failure.advice}</p>}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Shown instead of a list without rows: why it is empty, and what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Grey lines in the place of what is being loaded. */
export function Loading({ lines = 6 }: { lines?: number }): VNode {
  return (
    <div class="loading" role="status">
      <span class="unseen">Loading…</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="loading-line" />
      ))}
    </div>
  );
}

interface LoadedProps<T> {
  readonly query: Query<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** The content of a query, or how it stands. A failure of a later load is shown above what is known. */
export function Loaded<T>({ query: { data, failure, reload }, children }: LoadedProps<T>): VNode {
  return (
    <>
      {failure && <Failed failure={failure} onRetry={reload} />}
      {data !== undefined ? children(data) : !failure && <Loading />}
    </>
  );
}
