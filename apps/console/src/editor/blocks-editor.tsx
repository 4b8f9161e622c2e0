import type { RefObject, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { FaultsOf } from '../ui/fields.js';
import { moved } from '../drafts/draft.js';
import { BlockFields, BlockSettings, type FieldsProps } from './block-fields.js';
import { type Block, kindOfBlock } from './block-kinds.js';
import { BlockMenu } from './block-menu.js';
import type { Suggestion } from './suggestions.js';

interface Props {
  readonly legend: string;
  readonly blocks: readonly Block[];
  readonly suggestions: readonly Suggestion[];
  /** Of a column, in which no columns can stand. */
  readonly isInner?: boolean;
  readonly onBlocks: (blocks: readonly Block[], about: string) => void;
}

/** An email as a list of blocks. They move by dragging, and by Alt with the arrow keys. */
export function BlocksEditor({ legend, blocks, suggestions, isInner = false, onBlocks }: Props): VNode {
  const list = useRef<HTMLOListElement>(null);
  const [said, say] = useState('');
  const [dragged, setDragged] = useState<number>();
  /** The empty block whose place the chosen one takes; the number of blocks: a new one. */
  const [menuAt, openMenu] = useState<number>();
  const move = (from: number, to: number): void => {
    const next = moved(blocks, from, to);
    const type = blocks[from]?.type;
    if (next === blocks || type === undefined) return;
    const back = focusIn(list, from);
    onBlocks(next, 'move');
    say(`${kindOfBlock(type).label} is now block ${to + 1} of ${blocks.length}.`);
    window.setTimeout(() => back(to));
  };
  const choose = (fresh: Block): void => {
    if (menuAt === undefined) return;
    onBlocks(blocks.toSpliced(menuAt, 1, fresh), 'add');
    openMenu(undefined);
    const place = menuAt;
    window.setTimeout(() =>
      partsOf(list, place)
        .find((part) => part.matches(FIELDS))
        ?.focus(),
    );
  };
  const menu = (at: number): VNode | false =>
    menuAt === at && <BlockMenu isInner={isInner} onChoice={choose} onClose={() => openMenu(undefined)} />;
  return (
    <fieldset class="form">
      <legend>{legend}</legend>
      <ol ref={list} class="blocks">
        {blocks.map((block, at) => (
          <FaultsOf key={at} path={String(at)}>
            <BlockItem
              {...{ block, blocks, at, dragged, suggestions }}
              onBlock={(next, about) => onBlocks(blocks.with(at, next), `block ${at} ${about}`)}
              onBlocks={onBlocks}
              onDragged={setDragged}
              onMove={move}
              onSlash={() => openMenu(at)}
            />
            {menu(at)}
          </FaultsOf>
        ))}
      </ol>
      <div class="add-block">
        <button type="button" class="small" aria-haspopup="listbox" onClick={() => openMenu(blocks.length)}>
          Add block
        </button>
        {!isInner && <span class="note">or type / in an empty text</span>}
        {menu(blocks.length)}
      </div>
      <p class="unseen" aria-live="polite">
        {said}
      </p>
    </fieldset>
  );
}

const FIELDS = 'input, textarea, [contenteditable]:not(.value-chip)';

function partsOf(list: RefObject<HTMLElement>, at: number): HTMLElement[] {
  const item = [...(list.current?.children ?? [])].filter((child) => child.matches('.block'))[at];
  return [...(item?.querySelectorAll<HTMLElement>(`button, select, summary, ${FIELDS}`) ?? [])];
}

/** @returns focuses the same part of a block once it stands elsewhere */
function focusIn(list: RefObject<HTMLElement>, at: number): (to: number) => void {
  const place = partsOf(list, at).findIndex((part) => part === document.activeElement);
  return (to) => partsOf(list, to)[place]?.focus();
}

interface ItemProps extends Pick<Props, 'blocks' | 'suggestions' | 'onBlocks'> {
  readonly block: Block;
  readonly at: number;
  readonly dragged: number | undefined;
  readonly onDragged: (at: number | undefined) => void;
  readonly onBlock: (block: Block, about: string) => void;
  readonly onMove: (from: number, to: number) => void;
  readonly onSlash: () => void;
}

function BlockItem(props: ItemProps): VNode {
  const { block, at, dragged, suggestions, onDragged, onBlock, onMove, onSlash } = props;
  const [isOver, setOver] = useState(false);
  const byKey = (event: KeyboardEvent): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    // Columns are within a block that moves as well.
    event.stopPropagation();
    onMove(at, at + step);
  };
  const columnForm: FieldsProps['columnForm'] = (column) => (
    <BlocksEditor {...column} suggestions={suggestions} isInner />
  );
  return (
    <li
      class={isOver ? 'block over' : 'block'}
      aria-label={`Block ${at + 1}: ${kindOfBlock(block.type).label}`}
      onKeyDown={byKey}
      onDragOver={(event) => {
        if (dragged === undefined) return;
        event.preventDefault();
        setOver(dragged !== at);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (dragged === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        onMove(dragged, at);
        onDragged(undefined);
      }}
    >
      <BlockTools {...props} />
      <BlockFields {...{ block, suggestions, onBlock, onSlash, columnForm }} />
      <BlockSettings block={block} onBlock={onBlock} />
    </li>
  );
}

function BlockTools({ block, blocks, at, onDragged, onMove, onBlocks }: ItemProps): VNode {
  const number = at + 1;
  return (
    <div class="block-tools">
      <span
        class="block-handle"
        title="Drag to move, or Alt with ↑ and ↓"
        draggable
        onDragStart={(event) => {
          event.stopPropagation();
          event.dataTransfer?.setData('text/plain', block.type);
          onDragged(at);
        }}
        onDragEnd={() => onDragged(undefined)}
      >
        <span aria-hidden="true">⠿</span> {kindOfBlock(block.type).label}
      </span>
      <button
        type="button"
        class="small quiet"
        disabled={at === 0}
        aria-label={`Move block ${number} up`}
        onClick={() => onMove(at, at - 1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="small quiet"
        disabled={at === blocks.length - 1}
        aria-label={`Move block ${number} down`}
        onClick={() => onMove(at, at + 1)}
      >
        ↓
      </button>
      <button
        type="button"
        class="small quiet"
        aria-label={`Copy block ${number}`}
        onClick={() => onBlocks(blocks.toSpliced(at + 1, 0, block), 'duplicate')}
      >
        Copy
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
