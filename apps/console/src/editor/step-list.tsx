import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { moved, type DraftStep } from '../drafts/draft.js';
import { titleOf } from '../drafts/step-words.js';
import { useStepTypes } from '../step-types/step-types.js';
import { newOf, type NewStep } from './step-kinds.js';

interface Props {
  readonly steps: readonly DraftStep[];
  /** `uuid` of the open step; undefined: the settings of the workflow. */
  readonly chosen: string | undefined;
  readonly faulty: readonly string[];
  readonly onChoice: (uuid: string | undefined) => void;
  readonly onSteps: (steps: readonly DraftStep[], about: string) => void;
  readonly onAdd: (made: NewStep) => void;
}

/** The steps in order. They move by dragging, and by Alt with the arrow keys. */
export function StepList({ steps, chosen, faulty, onChoice, onSteps, onAdd }: Props): VNode {
  const [said, say] = useState('');
  const [dragged, setDragged] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  const move = (from: number, to: number): void => {
    const next = moved(steps, from, to);
    if (next === steps) return;
    onSteps(next, 'move');
    say(`${titleOf(steps[from])} is now step ${to + 1} of ${steps.length}.`);
    // The focus stays on the step that has moved.
    window.setTimeout(() => list.current?.querySelectorAll<HTMLElement>('.step-choice')[to]?.focus());
  };
  return (
    <nav class="step-nav" aria-label="Steps of the workflow">
      <button
        type="button"
        class="step-choice settings"
        aria-current={chosen === undefined ? 'true' : undefined}
        onClick={() => onChoice(undefined)}
      >
        Settings
      </button>
      <ol ref={list} aria-describedby="step-nav-note">
        {steps.map((step, at) => (
          <StepItem
            key={step.uuid}
            step={step}
            at={at}
            count={steps.length}
            isChosen={chosen === step.uuid}
            isFaulty={faulty.includes(step.uuid)}
            dragged={dragged}
            onDragged={setDragged}
            onChoice={() => onChoice(step.uuid)}
            onMove={move}
          />
        ))}
      </ol>
      <p class="note" id="step-nav-note">
        Drag to reorder, or Alt with ↑ and ↓.
      </p>
      <AddStep onAdd={onAdd} />
      <p class="unseen" aria-live="polite">
        {said}
      </p>
    </nav>
  );
}

interface ItemProps {
  readonly step: DraftStep;
  readonly at: number;
  readonly count: number;
  readonly isChosen: boolean;
  readonly isFaulty: boolean;
  /** The place of the step that is being dragged. */
  readonly dragged: number | undefined;
  readonly onDragged: (at: number | undefined) => void;
  readonly onChoice: () => void;
  readonly onMove: (from: number, to: number) => void;
}

function StepItem({ step, at, count, isChosen, isFaulty, dragged, onDragged, onChoice, onMove }: ItemProps): VNode {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    if (dragged !== undefined) onMove(dragged, at);
    onDragged(undefined);
  };
  const over = (event: DragEvent): void => {
    if (dragged === undefined) return;
    event.preventDefault();
    setOver(dragged !== at);
  };
  const start = (event: DragEvent): void => {
    onDragged(at);
    event.dataTransfer?.setData('text/plain', step.uuid);
  };
  const byKey = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(at, event.key === 'ArrowUp' ? at - 1 : at + 1);
  };
  return (
    <li
      class={['step-item', isOver && 'over', !step.active && 'off'].filter(Boolean).join(' ')}
      draggable
      onDragStart={start}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDragEnd={() => onDragged(undefined)}
      onDrop={drop}
    >
      <button
        type="button"
        class="step-choice"
        aria-current={isChosen ? 'true' : undefined}
        onClick={onChoice}
        onKeyDown={byKey}
      >
        <ChannelGlyph type={step.template.type} />
        <span class="step-choice-name">
          {at + 1}. {titleOf(step)}
        </span>
        {!step.active && <span class="soft"> off</span>}
        {isFaulty && <span class="bad-text"> !</span>}
      </button>
      <MoveButtons at={at} count={count} onMove={onMove} />
    </li>
  );
}

function MoveButtons({ at, count, onMove }: Pick<ItemProps, 'at' | 'count' | 'onMove'>): VNode {
  const number = at + 1;
  return (
    <span class="step-moves">
      <button
        type="button"
        class="small quiet"
        disabled={at === 0}
        aria-label={`Move step ${number} up`}
        onClick={() => onMove(at, at - 1)}
      >
        ↑
      </button>
      <button
        type="button"
        class="small quiet"
        disabled={at === count - 1}
        aria-label={`Move step ${number} down`}
        onClick={() => onMove(at, at + 1)}
      >
        ↓
      </button>
    </span>
  );
}

/** A menu: it closes with Escape and by a click elsewhere, and the arrows go through it. */
function AddStep({ onAdd }: Pick<Props, 'onAdd'>): VNode {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const press = ({ target }: Event): void => {
      if (target instanceof Node && menu.current?.contains(target) !== true) menu.current?.removeAttribute('open');
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, []);
  const byKey = (event: KeyboardEvent): void => {
    const parts = [...(menu.current?.querySelectorAll<HTMLElement>('summary, button') ?? [])];
    const at = parts.findIndex((part) => part === document.activeElement);
    if (event.key === 'Escape') {
      menu.current?.removeAttribute('open');
      parts[0]?.focus();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      menu.current?.setAttribute('open', '');
      parts.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % parts.length)?.focus();
    }
  };
  return (
    <details ref={menu} class="add-step" onKeyDown={byKey}>
      <summary class="button">Add step</summary>
      <ul>
        <StepTypeButtons
          onAdd={(made) => {
            menu.current?.removeAttribute('open');
            onAdd(made);
          }}
        />
      </ul>
    </details>
  );
}

/** What can be added: an entry of a list for each type of step. */
export function StepTypeButtons({ onAdd }: Pick<Props, 'onAdd'>): VNode {
  const types = useStepTypes();
  return (
    <>
      {types.map((type) => (
        <li key={type.type}>
          <button type="button" onClick={() => onAdd(newOf(type))}>
            <ChannelGlyph type={type.type} /> <strong>{type.label}</strong> <span class="soft">{type.description}</span>
          </button>
        </li>
      ))}
    </>
  );
}
