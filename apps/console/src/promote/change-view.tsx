import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import { Differences } from '../editor/difference-view.js';
import { Status } from '../ui/status.js';
import { hasContent, outcomeOf, titleOf } from './promotion-words.js';

type Change = Schemas['PromotedChangeResponse'];

const TONES = { created: 'good', updated: 'busy', deleted: 'bad' } as const;

/** What becomes of one record: open where something is replaced. */
export function ChangeView({ change }: { change: Change }): VNode {
  const { outcome, sourceVersion, before, after, differences } = change;
  const head = (
    <>
      <Status tone={TONES[outcome]} label={outcomeOf(change)} /> <strong>{titleOf(change)}</strong>
      {sourceVersion !== undefined && <span class="soft"> version {sourceVersion}</span>}
    </>
  );
  if (!hasContent(change)) return <p class="promoted-line">{head}</p>;
  return (
    <details open={outcome === 'updated'}>
      <summary>{head}</summary>
      <Differences showsSteps differences={differences} definitions={[after, before].filter((one) => one !== null)} />
    </details>
  );
}
