import type { ComponentChildren, VNode } from 'preact';
import { Link } from 'wouter-preact';
import { typeLabel } from '../activity/words.js';
import { dataOf } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { ChannelFrame } from '../ui/channel-frame.js';
import { Raw } from '../ui/raw.js';
import { Loaded } from '../ui/states.js';
import { Ago, Moment } from '../ui/time.js';
import { type Caught, framedOf, sizeOf, whoOf } from './catcher-words.js';

/** A message as the person would have got it. */
export function CaughtMessage({ id, back }: { readonly id: string; readonly back: string }): VNode {
  const api = useApi();
  const query = useQuery(`caught ${id}`, (signal) =>
    dataOf(api.GET('/v1/catcher/messages/{messageId}', { params: { path: { messageId: id } }, signal })),
  );
  return (
    <section class="panel caught-message" aria-label="Message" aria-live="polite">
      <Link class="caught-back" href={back}>
        ← All messages
      </Link>
      <Loaded query={query}>{(message) => <Shown message={message} />}</Loaded>
    </section>
  );
}

function Shown({ message }: { readonly message: Caught }): VNode {
  const { channel, createdAt, insteadOf, extra, headers, attachments = [], cut = [] } = message;
  return (
    <>
      <h2>
        {typeLabel(channel)} to {whoOf(message)}
      </h2>
      {cut.length > 0 && (
        <p class="notice warn">
          <span>
            Too large to be kept whole: <code>{cut.join(', ')}</code>
          </span>
        </p>
      )}
      <ChannelFrame message={framedOf(message)} who={whoOf(message)} />
      <dl class="facts">
        <Fact name="To">{message.to.join(', ')}</Fact>
        <Fact name="From">{channel !== 'email' && message.from}</Fact>
        <Fact name="Cc">{message.cc?.join(', ')}</Fact>
        <Fact name="Bcc">{message.bcc?.join(', ')}</Fact>
        <Fact name="Reply to">{message.replyTo}</Fact>
        <Fact name="Files">
          {attachments.map(({ name, mime, bytes }) => `${name} (${mime}, ${sizeOf(bytes)})`).join(', ')}
        </Fact>
        <Fact name="Caught">
          <Ago at={createdAt} />, <Moment at={createdAt} />
        </Fact>
        {channel !== 'in_app' && (
          <Fact name="Instead of">{insteadOf ?? 'Nothing: no other integration would have sent it'}</Fact>
        )}
      </dl>
      <p class="button-line">
        <Link href={`/notifications/${message._notificationId}`}>Trail of the notification</Link>
        <Link href={`/workflows/${message._templateId}`}>Workflow {message.templateIdentifier}</Link>
        {message.subscriberId !== undefined && (
          <Link href={`/subscribers/${encodeURIComponent(message.subscriberId)}`}>
            Subscriber {message.subscriberId}
          </Link>
        )}
      </p>
      {headers && (
        <details>
          <summary>Headers</summary>
          <Raw value={headers} label="Headers" />
        </details>
      )}
      {extra && (
        <details>
          <summary>What the provider would have got beyond that</summary>
          <Raw value={extra} label="Extra fields" />
        </details>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode | null {
  if (children === undefined || children === false || children === '') return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
