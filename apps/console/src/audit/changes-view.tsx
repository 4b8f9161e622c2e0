import type { VNode } from 'preact';
import { linesOf } from '../editor/differences.js';
import { DiffLines } from '../ui/diff-lines.js';
import { type Entry, hiddenWords, textOf } from './audit-words.js';

/** What an entry changed, closed until somebody wants to know. */
export function ChangesView({ changes = [], hasMoreChanges = false }: Entry): VNode | null {
  if (changes.length === 0) return null;
  const count = `${changes.length}${hasMoreChanges ? '+' : ''}`;
  return (
    <details class="audit-changes">
      <summary>{count === '1' ? '1 value changed' : `${count} values changed`}</summary>
      <ul class="differences">
        {changes.map((change) => (
          <li key={change.path}>
            <code>{change.path}</code>
            <Values {...change} />
          </li>
        ))}
      </ul>
      {hasMoreChanges && <p class="note">There are more, which are not recorded.</p>}
    </details>
  );
}

function Values(change: NonNullable<Entry['changes']>[number]): VNode {
  const words = hiddenWords(change);
  if (words !== undefined) return <p class="note">{words}</p>;
  const lines = linesOf(textOf(change.before), textOf(change.after));
  return (
    <>
      <DiffLines label={change.path} lines={lines} />
      {change.shortened === true && <p class="note">Only the part that differs is recorded.</p>}
    </>
  );
}
