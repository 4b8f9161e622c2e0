import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Block, kindsFor } from './block-kinds.js';

interface Props {
  readonly isInner: boolean;
  readonly onChoice: (fresh: Block) => void;
  readonly onClose: () => void;
}

/** The kinds of blocks. What is typed narrows them; the arrows go through them, Enter takes one, Escape closes. */
export function BlockMenu({ isInner, onChoice, onClose }: Props): VNode {
  const [typed, type] = useState('');
  const [at, go] = useState(0);
  const menu = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  // Before the next key, whoever types at once.
  useLayoutEffect(() => {
    input.current?.focus();
    const press = ({ target }: Event): void => {
      if (target instanceof Node && menu.current?.contains(target) !== true) close.current();
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, []);
  const kinds = kindsFor(typed, isInner);
  const byKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const kind = kinds[at];
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && kind) onChoice(kind.fresh);
    else if (step !== undefined && kinds.length > 0) go((at + step + kinds.length) % kinds.length);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={menu} class="block-menu" onKeyDown={byKey}>
      <input
        ref={input}
        role="combobox"
        aria-label="Kind of block"
        aria-expanded="true"
        aria-controls="block-menu-kinds"
        aria-activedescendant={kinds[at] && `block-kind-${kinds[at].type}`}
        placeholder="Type to find a kind"
        value={typed}
        onInput={(event) => {
          type(event.currentTarget.value);
          go(0);
        }}
      />
      <ul id="block-menu-kinds" role="listbox" aria-label="Kinds of blocks">
        {kinds.map(({ type: name, label, note, fresh }, place) => (
          <li
            key={name}
            id={`block-kind-${name}`}
            role="option"
            aria-selected={place === at}
            onClick={() => onChoice(fresh)}
          >
            <strong>{label}</strong> <span class="soft">{note}</span>
          </li>
        ))}
        {kinds.length === 0 && <li class="note">There is no such kind.</li>}
      </ul>
    </div>
  );
}
