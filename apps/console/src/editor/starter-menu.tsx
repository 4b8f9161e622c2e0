import type { VNode } from 'preact';
import type { Template } from '../drafts/draft.js';
import { type Starter, STARTERS } from './starters.js';

interface Props {
  readonly template: Template;
  readonly onStarter: (template: Template, sample: Starter['sample']) => void;
}

/** Mails to begin with. Undo brings back what was there. */
export function StarterMenu({ template, onStarter }: Props): VNode {
  const choose = ({ subject, preheader, blocks, sample }: Starter): void => {
    const lines = { ...(subject && { subject }), ...(preheader && { preheader }) };
    onStarter({ ...template, ...lines, contentType: 'editor', content: blocks }, sample);
  };
  return (
    <details class="starters">
      <summary>Begin with a ready mail</summary>
      <ul>
        {STARTERS.map((starter) => (
          <li key={starter.name}>
            <button
              type="button"
              onClick={(event) => {
                event.currentTarget.closest('details')?.removeAttribute('open');
                choose(starter);
              }}
            >
              <strong>{starter.name}</strong>
              <span class="soft">{starter.note}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="note">It takes the place of the content. Undo brings it back.</p>
    </details>
  );
}
