import type { VNode } from 'preact';
import type { GroupWords } from './condition-words.js';

/** Conditions as sentences. The reader has said before what they decide. */
export function ConditionsView({ groups }: { groups: readonly GroupWords[] }): VNode {
  return (
    <ul class="conditions-words">
      {groups.map((group, at) => (
        <li key={at}>
          {at > 0 && <span class="joint">or</span>}
          {group.isNegated && <span class="joint">not: </span>}
          {group.conditions.map(({ subject, words, value }, place) => (
            <span key={place} class="condition">
              {place > 0 && <span class="joint">{group.joint} </span>}
              <code>{subject}</code> {words} {value !== '' && <code>{value}</code>}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
