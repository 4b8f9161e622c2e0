import type { VNode } from 'preact';
import { OF_SUBSCRIBER, type Occurrence, occurrenceWords, zoneWords } from './schedule-words.js';
import { Ago } from '../ui/time.js';

/** The next occurrences, as the clocks of their zone show them. */
export function Occurrences({ rows, timezone }: { rows: readonly Occurrence[]; timezone: string | undefined }): VNode {
  if (rows.length === 0) return <p class="note">Nothing occurs any more.</p>;
  return (
    <>
      <ol class="occurrences">
        {rows.map((row) => (
          <li key={row.at}>
            <span>{occurrenceWords(row, timezone)}</span>{' '}
            <span class="soft">
              <Ago at={row.at} />
            </span>
          </li>
        ))}
      </ol>
      <p class="note">Times {timezone === OF_SUBSCRIBER ? zoneWords(timezone) : `in ${zoneWords(timezone)}`}.</p>
    </>
  );
}
