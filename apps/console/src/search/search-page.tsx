import type { ComponentChildren, VNode } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { fullName } from '../subscribers/subscriber-words.js';
import { Page } from '../ui/page.js';
import { Empty, Loaded } from '../ui/states.js';
import { Ago } from '../ui/time.js';
import { SHOWN, useSearch } from './use-search.js';

/** Subscribers, workflows and notifications that a text names. */
export function SearchPage(): VNode {
  const [parameters] = useSearchParams();
  const text = (parameters.get('q') ?? '').trim();
  return (
    <Page title={text === '' ? 'Search' : `Search: ${text}`}>
      {text === '' ? <NothingAsked /> : <Results text={text} />}
    </Page>
  );
}

function NothingAsked(): VNode {
  return (
    <Empty title="What do you look for?">
      <p>Type an id, a name, an email address, a phone number or a transaction id into the search field.</p>
    </Empty>
  );
}

function Results({ text }: { text: string }): VNode {
  const query = useSearch(text);
  return (
    <Loaded query={query}>
      {({ workflows, subscribers, by, notifications }) => {
        const found = workflows.length + subscribers.length + notifications.length;
        const more = new URLSearchParams({ search: text });
        return found === 0 ? (
          <Empty title={`Nothing is found for “${text}”`}>
            <p>
              Subscribers are found by the beginning of their id or name, by email or phone; workflows by name or
              trigger identifier; notifications by the transaction id of their event.
            </p>
          </Empty>
        ) : (
          <>
            <Kind name="Subscribers" rows={subscribers} more={`/subscribers?${more}&by=${by}`}>
              {(row) => (
                <>
                  <Link href={`/subscribers/${encodeURIComponent(row.subscriberId)}`}>{row.subscriberId}</Link>{' '}
                  <span class="soft">{[fullName(row), row.email].filter(Boolean).join(', ')}</span>
                </>
              )}
            </Kind>
            <Kind name="Workflows" rows={workflows} more={`/workflows?${more}`}>
              {(row) => (
                <>
                  <Link href={`/workflows/${row._id}`}>{row.name}</Link>{' '}
                  <code class="soft plain">{row.triggers[0]?.identifier}</code>
                </>
              )}
            </Kind>
            <Kind
              name="Notifications"
              rows={notifications}
              more={`/activity?${new URLSearchParams({ transaction: text })}`}
            >
              {(row) => (
                <>
                  <Link href={`/notifications/${row._id}`}>
                    {row.template?.name ?? 'Notification'} for {row.subscriber?.subscriberId ?? 'a deleted subscriber'}
                  </Link>{' '}
                  <span class="soft">
                    <Ago at={row.createdAt} />
                  </span>
                </>
              )}
            </Kind>
          </>
        );
      }}
    </Loaded>
  );
}

interface KindProps<Row> {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly more: string;
  readonly children: (row: Row) => ComponentChildren;
}

function Kind<Row extends { readonly _id?: string | undefined }>({
  name,
  rows,
  more,
  children,
}: KindProps<Row>): VNode | null {
  if (rows.length === 0) return null;
  return (
    <section class="panel" aria-label={name}>
      <h2>{name}</h2>
      <ul class="found">
        {rows.slice(0, SHOWN).map((row) => (
          <li key={row._id}>{children(row)}</li>
        ))}
      </ul>
      {rows.length > SHOWN && <Link href={more}>All {name.toLowerCase()} that match</Link>}
    </section>
  );
}
