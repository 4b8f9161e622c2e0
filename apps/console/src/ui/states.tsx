import type { ComponentChildren, VNode } from 'preact';
import type { Failure } from '../api/failure.js';
import type { Query } from '../api/use-query.js';
import { useOptionalSession, useSession } from '../session.js';

/** The API speaks of the scopes of keys. A person has a role, which may have changed since the page was drawn. */
function useRoleFailure(failure: Failure): Failure {
  const role = useOptionalSession()?.person?.role;
  if (failure.code !== 'scope_missing' || role === undefined) return failure;
  const { advice: _ofKeys, ...rest } = failure;
  return { ...rest, texts: [`Your role, ${role}, does not allow this. Ask an owner for another role.`] };
}

/** What failed, in the words of the API, and what to do. */
export function Failed({ failure: told, onRetry }: { failure: Failure; onRetry?: () => void }): VNode {
  const failure = useRoleFailure(told);
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

/** Shown instead of a page that the key may not see. */
function MissingScope({ failure }: { failure: Failure }): VNode {
  const { person, signOut } = useSession();
  if (person !== undefined) {
    return (
      <Empty title={`Your role in this environment is ${person.role}`}>
        <p>This page requires more. Ask an owner for another role.</p>
      </Empty>
    );
  }
  const scope = /'([a-z]+)'/.exec(failure.texts[0] ?? '')?.[1];
  return (
    <Empty title={scope === undefined ? 'Your key lacks the required scope' : `Your key lacks the scope “${scope}”`}>
      <p>
        This page requires it. Sign in with a key that has it. A key with the scope <code>admin</code> can issue one
        under API keys.
      </p>
      <button type="button" onClick={signOut}>
        Sign in with another key
      </button>
    </Empty>
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
  if (failure?.code === 'scope_missing' && data === undefined) return <MissingScope failure={failure} />;
  return (
    <>
      {failure && <Failed failure={failure} onRetry={reload} />}
      {data !== undefined ? children(data) : !failure && <Loading />}
    </>
  );
}
