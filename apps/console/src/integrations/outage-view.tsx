import type { VNode } from 'preact';
import { Moment } from '../ui/time.js';
import type { Integration } from './integration-words.js';

/** What is known of a provider that does not answer. */
export function OutageView({ outage }: { outage: NonNullable<Integration['outage']> }): VNode {
  return (
    <span class="reason">
      Since <Moment at={outage.since} isShort />: {outage.error} One message tries again at{' '}
      <Moment at={outage.until} isShort />.
    </span>
  );
}
