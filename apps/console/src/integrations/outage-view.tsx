import type { VNode } from 'preact';
import { Moment } from '../ui/time.js';
import type { Integration } from './integration-words.js';

/** What is known of a provider that does not answer. */
export function OutageNotice({ outage }: Pick<Integration, 'outage'>): VNode | null {
  if (outage === undefined) return null;
  return (
    <div class="notice warn">
      The provider is down. Messages go through the next integration of the channel, or wait: none is lost.{' '}
      <span class="reason">
        Since <Moment at={outage.since} isShort />: {outage.error} One message tries again at{' '}
        <Moment at={outage.until} isShort />.
      </span>
    </div>
  );
}
