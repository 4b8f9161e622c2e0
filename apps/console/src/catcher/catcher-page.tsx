import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { CatchSample } from '../activity/catch-sample.js';
import { useLiveRows } from '../activity/use-live-rows.js';
import { typeLabel } from '../activity/words.js';
import { bodyOf, dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { SelectField, TextField } from '../ui/fields.js';
import { Page } from '../ui/page.js';
import { pageOf, withPage } from '../ui/pages-of.js';
import { Empty, Failed, Loaded, Loading } from '../ui/states.js';
import { Pager } from '../ui/table.js';
import { Ago } from '../ui/time.js';
import { CatcherSwitch } from './catcher-switch.js';
import { type Asked, askedIn, type Catcher, CHANNEL_CHOICES, type ListedCaught, whoOf } from './catcher-words.js';
import { CaughtMessage } from './caught-message.js';

const ROWS = 30;
const LIVE_MS = 2_000;
/** Others may switch it. */
const STATE_MS = 10_000;

/** What would have gone out, in every channel as it would look. */
export function CatcherPage(): VNode {
  const api = useApi();
  const query = useQuery('catcher', (signal) => dataOf(api.GET('/v1/catcher', { signal })), STATE_MS);
  return (
    <Page title="Catcher">
      <Loaded query={query}>
        {(catcher) =>
          catcher.isAllowed ? (
            <>
              <CatcherSwitch catcher={catcher} onSwitched={query.reload} />
              <CaughtMessages catcher={catcher} onCaught={query.reload} />
            </>
          ) : (
            <Empty title="Not in production">
              <p>The catcher keeps messages instead of sending them. Use it in the environment Development.</p>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

interface Props {
  readonly catcher: Catcher;
  /** The sample has switched the catcher on. */
  readonly onCaught: () => void;
}

function CaughtMessages({ catcher, onCaught }: Props): VNode {
  const api = useApi();
  const [parameters, setParameters] = useSearchParams();
  const asked = askedIn(parameters);
  const page = pageOf(parameters);
  const chosen = parameters.get('message') ?? '';
  const key = `caught ${page} ${JSON.stringify(asked)}`;
  const query = useQuery(
    key,
    (signal) => bodyOf(api.GET('/v1/catcher/messages', { params: { query: { ...asked, page, limit: ROWS } }, signal })),
    page === 0 ? LIVE_MS : undefined,
  );
  const list = useRef<HTMLDivElement>(null);
  const { rows, waiting, showNew } = useLiveRows(key, query.data, list);
  return (
    <>
      <Filters asked={asked} />
      {query.failure && <Failed failure={query.failure} onRetry={query.reload} />}
      <p class="waiting" aria-live="polite">
        {waiting > 0 && (
          <button type="button" class="primary" onClick={showNew}>
            Show {waiting} new
          </button>
        )}
      </p>
      {rows?.length === 0 && <Nothing asked={asked} catcher={catcher} onCaught={onCaught} />}
      <div class={chosen === '' ? 'catcher' : 'catcher chosen'}>
        <div ref={list} class="caught-list">
          {rows === undefined && query.failure === undefined && <Loading lines={8} />}
          {rows !== undefined && rows.length > 0 && (
            <ul aria-label="Caught messages, newest first">
              {rows.map(({ row, isGone }) => (
                <li key={row._id} class={isGone ? 'gone' : undefined}>
                  <Row message={row} href={hrefOf(parameters, row._id)} isChosen={row._id === chosen} />
                </li>
              ))}
            </ul>
          )}
          <Pager
            page={page}
            hasMore={query.data?.hasMore ?? false}
            onPage={(next) => setParameters(withPage(parameters, next))}
          />
        </div>
        {chosen !== '' ? (
          <CaughtMessage id={chosen} back={hrefOf(parameters)} />
        ) : (
          rows !== undefined && rows.length > 0 && <p class="soft caught-hint">Select a message to see it.</p>
        )}
      </div>
    </>
  );
}

interface RowProps {
  readonly message: ListedCaught;
  readonly href: string;
  readonly isChosen: boolean;
}

function Row({ message, href, isChosen }: RowProps): VNode {
  const { channel, summary, createdAt } = message;
  return (
    <Link href={href} class="caught-row" aria-current={isChosen ? 'true' : undefined}>
      <span class="caught-head">
        <ChannelGlyph type={channel} />
        <span>{typeLabel(channel)}</span>
        <span class="soft">
          <Ago at={createdAt} />
        </span>
      </span>
      <strong class="caught-summary">{summary || '(no text)'}</strong>
      <span class="soft caught-summary">to {whoOf(message)}</span>
    </Link>
  );
}

function Filters({ asked }: { readonly asked: Asked }): VNode {
  const [parameters, setParameters] = useSearchParams();
  const filter = (name: string, value: string): void => {
    const next = withPage(parameters, 0);
    next.delete('message');
    if (value.trim() === '') next.delete(name);
    else next.set(name, value.trim());
    setParameters(next);
  };
  return (
    <search class="filters" aria-label="Filters">
      <SelectField
        label="Channel"
        value={asked.channel ?? ''}
        choices={CHANNEL_CHOICES}
        onChange={(value) => filter('channel', value)}
      />
      <TextField
        label="Subscriber id"
        type="search"
        placeholder="ada"
        value={asked.subscriberId ?? ''}
        onChange={(value) => filter('subscriberId', value)}
      />
    </search>
  );
}

function Nothing({ asked, catcher: { isOn }, onCaught }: Props & { readonly asked: Asked }): VNode {
  if (Object.keys(asked).length > 0) {
    return (
      <Empty title="No matching messages">
        <p>Enter the complete id of a subscriber, or choose another channel.</p>
      </Empty>
    );
  }
  return (
    <Empty title="Nothing caught yet">
      <p>
        {isOn
          ? 'Trigger a workflow: its messages appear here as people would see them, and reach nobody.'
          : 'Press “Catch everything”: no email, SMS, chat or push message of this environment is sent any more, and all of them appear here as people would see them. Other integrations stay as they are.'}
      </p>
      <CatchSample onCaught={onCaught} />
    </Empty>
  );
}

/** The address of the page with another message, or without one. */
function hrefOf(parameters: URLSearchParams, message?: string): string {
  const next = new URLSearchParams(parameters);
  if (message === undefined) next.delete('message');
  else next.set('message', message);
  return `/catcher?${next.toString()}`;
}
