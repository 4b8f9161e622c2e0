import type { VNode } from 'preact';
import { SelectField } from '../ui/fields.js';
import { moved } from './draft.js';
import { LiveField } from './live-fields.js';

/** A part of an email that is built from blocks. */
export interface Block {
  readonly type: 'text' | 'button';
  readonly content: string;
  readonly url?: string;
  readonly styles?: { readonly textAlign?: string };
}

interface Props {
  readonly blocks: readonly Block[];
  readonly onBlocks: (blocks: readonly Block[], about: string) => void;
}

/** An email as a list of texts and buttons. */
export function BlocksEditor({ blocks, onBlocks }: Props): VNode {
  const set = (at: number, change: Partial<Block>, about: string): void =>
    onBlocks(blocks.with(at, { ...(blocks[at] as Block), ...change }), `block ${at} ${about}`);
  return (
    <fieldset class="form">
      <legend>Content</legend>
      <ol class="blocks">
        {blocks.map((block, at) => (
          <li key={at} class="block" aria-label={`Block ${at + 1}`}>
            {block.type === 'text' ? (
              <div class="field">
                <label for={`block-${at}`}>Text</label>
                <textarea
                  id={`block-${at}`}
                  rows={3}
                  value={block.content}
                  onInput={(event) => set(at, { content: event.currentTarget.value }, 'content')}
                />
              </div>
            ) : (
              <div class="two-fields">
                <LiveField
                  label="Button"
                  value={block.content}
                  onInput={(content) => set(at, { content }, 'content')}
                />
                <LiveField
                  label="Link"
                  isCode
                  value={block.url ?? ''}
                  placeholder="https://example.com/{{order.id}}"
                  onInput={(url) => set(at, { url }, 'url')}
                />
              </div>
            )}
            <div class="block-tools">
              <SelectField
                label="Align"
                value={block.styles?.textAlign ?? 'left'}
                choices={['left', 'center', 'right'].map((value) => ({ value, label: value }))}
                onChange={(textAlign) => set(at, { styles: { ...block.styles, textAlign } }, 'align')}
              />
              <button
                type="button"
                class="small"
                disabled={at === 0}
                aria-label={`Move block ${at + 1} up`}
                onClick={() => onBlocks(moved(blocks, at, at - 1), 'move')}
              >
                ↑
              </button>
              <button
                type="button"
                class="small"
                disabled={at === blocks.length - 1}
                aria-label={`Move block ${at + 1} down`}
                onClick={() => onBlocks(moved(blocks, at, at + 1), 'move')}
              >
                ↓
              </button>
              <button
                type="button"
                class="small quiet"
                aria-label={`Remove block ${at + 1}`}
                onClick={() => onBlocks(blocks.toSpliced(at, 1), 'remove')}
              >
                Remove
              </button>
            </div>
          </li>
        ))}
      </ol>
      <div class="button-line">
        <button type="button" class="small" onClick={() => onBlocks([...blocks, { type: 'text', content: '' }], 'add')}>
          Add text
        </button>
        <button
          type="button"
          class="small"
          onClick={() => onBlocks([...blocks, { type: 'button', content: 'Open', url: 'https://' }], 'add')}
        >
          Add button
        </button>
      </div>
    </fieldset>
  );
}
