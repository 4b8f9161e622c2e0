import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import { Moment } from '../ui/time.js';

type Message = Pick<Schemas['ListedMessageResponse'], 'opens' | 'clicks'>;

/** When a mail was opened, and which of its links were clicked. */
export function Engagements({ message: { opens = [], clicks = [] } }: { message: Message }): VNode | null {
  const all = [
    ...opens.map(({ at, machine }) => ({ at, machine, what: 'Opened', url: undefined })),
    ...clicks.map(({ at, machine, url }) => ({ at, machine, what: 'Clicked', url })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  if (all.length === 0) return null;
  return (
    <section class="engagements">
      <h3>Opens and clicks</h3>
      <ul>
        {all.map(({ at, machine, what, url }, place) => (
          <li key={place}>
            {what} <Moment at={at} /> {machine && <span class="badge">probably a program</span>}{' '}
            {url !== undefined && <code>{url}</code>}
          </li>
        ))}
      </ul>
    </section>
  );
}
