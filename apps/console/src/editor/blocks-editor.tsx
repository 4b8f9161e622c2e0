import type { VNode } from 'preact';
import { SelectField } from '../ui/fields.js';
import { moved } from '../drafts/draft.js';
import { LiveField } from './live-fields.js';

/** A part of an email that is built from blocks. */
export interface Block {
  readonly type: 'text' | 'button' | 'heading' | 'image' | 'divider' | 'footer';
  readonly content: string;
  readonly url?: string;
  readonly styles?: { readonly textAlign?: string; readonly backgroundColor?: string; readonly color?: string };
}

interface Props {
  readonly blocks: readonly Block[];
  readonly onBlocks: (blocks: readonly Block[], about: string) => void;
}

const NEW_BLOCKS: readonly { readonly label: string; readonly block: Block }[] = [
  { label: 'Add text', block: { type: 'text', content: '' } },
  { label: 'Add button', block: { type: 'button', content: 'Open', url: 'https://' } },
  { label: 'Add heading', block: { type: 'heading', content: '' } },
  { label: 'Add image', block: { type: 'image', content: '', url: 'https://' } },
  { label: 'Add divider', block: { type: 'divider', content: '' } },
  { label: 'Add footer', block: { type: 'footer', content: '<a href="{{unsubscribeUrl}}">Unsubscribe</a>' } },
];
const TEXT_LABELS: Readonly<Partial<Record<Block['type'], string>>> = {
  text: 'Text',
  heading: 'Heading',
  footer: 'Footer',
};

/** An email as a list of blocks. */
export function BlocksEditor({ blocks, onBlocks }: Props): VNode {
  return (
    <fieldset class="form">
      <legend>Content</legend>
      <ol class="blocks">
        {blocks.map((block, at) => (
          <li key={at} class="block" aria-label={`Block ${at + 1}`}>
            <BlockFields
              block={block}
              at={at}
              onBlock={(next, about) => onBlocks(blocks.with(at, next), `block ${at} ${about}`)}
            />
            <BlockTools blocks={blocks} at={at} onBlocks={onBlocks} />
          </li>
        ))}
      </ol>
      <div class="button-line">
        {NEW_BLOCKS.map(({ label, block }) => (
          <button key={label} type="button" class="small" onClick={() => onBlocks([...blocks, block], 'add')}>
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface FieldsProps {
  readonly block: Block;
  readonly at: number;
  readonly onBlock: (block: Block, about: string) => void;
}

function BlockFields({ block, at, onBlock }: FieldsProps): VNode {
  if (block.type === 'divider') return <p class="note">Divider</p>;
  const label = TEXT_LABELS[block.type];
  if (label !== undefined) {
    return (
      <div class="field">
        <label for={`block-${at}`}>{label}</label>
        <textarea
          id={`block-${at}`}
          rows={3}
          value={block.content}
          onInput={(event) => onBlock({ ...block, content: event.currentTarget.value }, 'content')}
        />
      </div>
    );
  }
  return (
    <div class="two-fields">
      <LiveField
        label={block.type === 'image' ? 'Description of the image' : 'Button'}
        value={block.content}
        onInput={(content) => onBlock({ ...block, content }, 'content')}
      />
      <LiveField
        label={block.type === 'image' ? 'Address of the image' : 'Link'}
        isCode
        value={block.url ?? ''}
        placeholder="https://example.com/{{order.id}}"
        onInput={(url) => onBlock({ ...block, url }, 'url')}
      />
    </div>
  );
}

function BlockTools({ blocks, at, onBlocks }: Props & { readonly at: number }): VNode {
  const block = blocks[at];
  const align = (textAlign: string): void => {
    if (block) onBlocks(blocks.with(at, { ...block, styles: { ...block.styles, textAlign } }), 'align');
  };
  const move = (to: number): void => onBlocks(moved(blocks, at, to), 'move');
  const number = at + 1;
  return (
    <div class="block-tools">
      <SelectField
        label="Align"
        value={block?.styles?.textAlign ?? 'left'}
        choices={['left', 'center', 'right'].map((value) => ({ value, label: value }))}
        onChange={align}
      />
      <button
        type="button"
        class="small"
        disabled={at === 0}
        aria-label={`Move block ${number} up`}
        onClick={() => move(at - 1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="small"
        disabled={at === blocks.length - 1}
        aria-label={`Move block ${number} down`}
        onClick={() => move(at + 1)}
      >
        ↓
      </button>
      <button
        type="button"
        class="small quiet"
        aria-label={`Remove block ${number}`}
        onClick={() => onBlocks(blocks.toSpliced(at, 1), 'remove')}
      >
        Remove
      </button>
    </div>
  );
}
