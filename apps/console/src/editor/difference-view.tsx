import type { VNode } from 'preact';
import type { Schemas } from '../api/client.js';
import { DiffLines } from '../ui/diff-lines.js';
import { differenceWords } from './differences.js';

interface Props {
  readonly version: Schemas['WorkflowVersionDetailsResponse'];
}

/** What differs between two versions, for readers. */
export function DifferenceView({ version }: Props): VNode {
  const { differences, definition, since } = version;
  if (since === null) return <p class="note">The first version that is stored.</p>;
  if (differences.length === 0) return <p class="note">The content is the same.</p>;
  return (
    <ul class="differences">
      {differenceWords(differences, [definition]).map(({ title, lines }) => (
        <li key={title}>
          <p>
            <strong>{title}</strong>
          </p>
          {lines && lines.length > 0 && <DiffLines label={title} lines={lines} />}
        </li>
      ))}
    </ul>
  );
}
