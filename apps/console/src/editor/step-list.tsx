import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import type { DraftStep } from '../drafts/draft.js';
import { armsAround, movedOver, neighbourOf } from '../drafts/places.js';
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
  const [refused, setRefused] = useState('');
  const [dragged, setDragged] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  const move = (from: number, over: number): void => {
    if (from === over) return;
    const step = steps[from];
    const next = movedOver(steps, from, over);
    const isMoved = next !== steps;
    setRefused(isMoved ? '' : `${titleOf(step)} stays: a step comes after those that it depends on.`);
    if (!isMoved) return;
    onSteps(next, 'move');
    const to = next.findIndex(({ uuid }) => uuid === step?.uuid);
    say(`${titleOf(step)} is now step ${to + 1} of ${steps.length}.`);
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
            steps={steps}
            at={at}
            isChosen={chosen === step.uuid}
            isFaulty={faulty.includes(step.uuid)}
            dragged={dragged}
            onDragged={setDragged}
            onChoice={() => onChoice(step.uuid)}
            onMove={move}
          />
        ))}
      </ol>
      <p class="note" role="status">
        {refused}
      </p>
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

interface ItemProps extends Pick<Props, 'steps'> {
  readonly at: number;
  readonly isChosen: boolean;
  readonly isFaulty: boolean;
  /** The place of the step that is being dragged. */
  readonly dragged: number | undefined;
  readonly onDragged: (at: number | undefined) => void;
  readonly onChoice: () => void;
  readonly onMove: (from: number, over: number) => void;
}

function StepItem({ steps, at, isChosen, isFaulty, dragged, onDragged, onChoice, onMove }: ItemProps): VNode {
  const step = steps[at] as DraftStep;
  const [isOver, setOver] = useState(false);
  const moves = { up: neighbourOf(steps, at, 'up'), down: neighbourOf(steps, at, 'down') };
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
    onMove(at, (event.key === 'ArrowUp' ? moves.up : moves.down) ?? at);
  };
  return (
    <li
      class={['step-item', isOver && 'over', !step.active && 'off'].filter(Boolean).join(' ')}
      style={{ marginInlineStart: `${armsAround(steps, at).length * 14}px` }}
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
          {step.branch && <span class="unseen"> in the arm “{step.branch.arm}”</span>}
        </span>
        {!step.active && <span class="soft"> off</span>}
        {isFaulty && <span class="bad-text"> !</span>}
      </button>
      <MoveButtons at={at} moves={moves} onMove={onMove} />
    </li>
  );
}

interface MoveProps extends Pick<ItemProps, 'at' | 'onMove'> {
  readonly moves: Readonly<Record<'up' | 'down', number | undefined>>;
}

function MoveButtons({ at, moves: { up, down }, onMove }: MoveProps): VNode {
  const button = (over: number | undefined, direction: string, sign: string): VNode => (
    <button
      type="button"
      class="small quiet"
      disabled={over === undefined}
      aria-label={`Move step ${at + 1} ${direction}`}
      onClick={() => onMove(at, over ?? at)}
    >
      {sign}
    </button>
  );
  return (
    <span class="step-moves">
      {button(up, 'up', '↑')}
      {button(down, 'down', '↓')}
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
