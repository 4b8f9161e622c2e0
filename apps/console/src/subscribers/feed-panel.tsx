import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { bodyOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { textOfHtml } from '../ui/html-text.js';
import { Loaded } from '../ui/states.js';
import { Pager } from '../ui/table.js';
import { Ago } from '../ui/time.js';

const ROWS = 10;

type Message = Schemas['FeedMessageResponse'];

/** The in-app feed as the subscriber sees it, as text. */
export function FeedPanel({ subscriberId }: { subscriberId: string }): VNode {
  const api = useApi();
  const [page, setPage] = useState(0);
  const query = useQuery(`feed ${subscriberId} ${page}`, (signal) => {
    const params = { path: { subscriberId }, query: { page, limit: ROWS } };
    return bodyOf(api.GET('/v1/subscribers/{subscriberId}/notifications/feed', { params, signal }));
  });
  return (
    <section class="panel" aria-labelledby="feed">
      <h2 id="feed">
        In-app feed <span class="soft count">{query.data?.totalCount?.toLocaleString('en')}</span>
      </h2>
      <Loaded query={query}>
        {({ data, hasMore }) => (
          <>
            {data.length === 0 && <p class="soft">No messages yet. Messages of in-app steps appear here.</p>}
            <ul class="feed">
              {data.map((message) => (
                <Item key={message._id} message={message} />
              ))}
            </ul>
            <Pager page={page} hasMore={hasMore} onPage={setPage} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function Item({ message }: { message: Message }): VNode {
  const { content, subject, seen, read, archived, createdAt, cta, template, _notificationId } = message;
  const state = [read ? 'read' : seen ? 'seen' : 'unseen', archived && 'archived'].filter(Boolean).join(', ');
  return (
    <li class={read ? 'read' : undefined}>
      {subject && <p class="strong">{subject}</p>}
      <p>{typeof content === 'string' ? textOfHtml(content) : ''}</p>
      {cta && cta.action.buttons.length > 0 && (
        <p class="soft">{cta.action.buttons.map((button) => `[${button.content}]`).join(' ')}</p>
      )}
      <p class="note">
        {state} · <Ago at={createdAt} /> ·{' '}
        <Link href={`/notifications/${_notificationId}`}>{template?.name ?? 'View notification'}</Link>
      </p>
    </li>
  );
}
