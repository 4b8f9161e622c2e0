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
  return <Differences differences={differences} definitions={[definition]} />;
}

interface DifferencesProps {
  readonly differences: readonly Schemas['WorkflowDifferenceResponse'][];
  /** Steps are named by what they are in one of them. */
  readonly definitions: readonly Partial<Schemas['WorkflowDefinitionDto']>[];
  /** Whether the content of new and removed steps is shown as well. */
  readonly showsSteps?: boolean;
}

export function Differences({ differences, definitions, showsSteps }: DifferencesProps): VNode {
  return (
    <ul class="differences">
      {differenceWords(differences, definitions, showsSteps).map(({ title, lines }) => (
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
