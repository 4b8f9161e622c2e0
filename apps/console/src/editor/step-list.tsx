import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { typeLabel } from '../activity/words.js';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { moved, type DraftStep } from './draft.js';
import { kindOf, STEP_KINDS, type StepKind } from './step-kinds.js';

interface Props {
  readonly steps: readonly DraftStep[];
  /** `uuid` of the open step; undefined: the settings of the workflow. */
  readonly chosen: string | undefined;
  readonly faulty: ReadonlySet<string>;
  readonly onChoice: (uuid: string | undefined) => void;
  readonly onSteps: (steps: readonly DraftStep[], about: string) => void;
  readonly onAdd: (kind: StepKind) => void;
}

/** The steps in order. They move by dragging, and by Alt with the arrow keys. */
export function StepList({ steps, chosen, faulty, onChoice, onSteps, onAdd }: Props): VNode {
  const [said, say] = useState('');
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  const move = (from: number, to: number): void => {
    const next = moved(steps, from, to);
    if (next === steps) return;
    onSteps(next, 'move');
    say(`${titleOf(steps[from])} is now step ${to + 1} of ${steps.length}.`);
    // The focus stays on the step that has moved.
    window.setTimeout(() => list.current?.querySelectorAll<HTMLElement>('.step-choice')[to]?.focus());
  };
  const byKey = (event: KeyboardEvent, at: number): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(at, event.key === 'ArrowUp' ? at - 1 : at + 1);
  };
  const drop = (event: DragEvent, at: number): void => {
    event.preventDefault();
    if (dragged !== undefined) move(dragged, at);
    setDragged(undefined);
    setOver(undefined);
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
          <li
            key={step.uuid}
            class={['step-item', over === at && dragged !== at && 'over', !step.active && 'off']
              .filter(Boolean)
              .join(' ')}
            draggable
            onDragStart={(event) => {
              setDragged(at);
              event.dataTransfer?.setData('text/plain', step.uuid);
            }}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              setOver(at);
            }}
            onDragEnd={() => {
              setDragged(undefined);
              setOver(undefined);
            }}
            onDrop={(event) => drop(event, at)}
          >
            <button
              type="button"
              class="step-choice"
              aria-current={chosen === step.uuid ? 'true' : undefined}
              onClick={() => onChoice(step.uuid)}
              onKeyDown={(event) => byKey(event, at)}
            >
              <ChannelGlyph type={step.template.type} />
              <span class="step-choice-name">
                {at + 1}. {titleOf(step)}
              </span>
              {!step.active && <span class="soft"> off</span>}
              {faulty.has(step.uuid) && <span class="bad-text"> !</span>}
            </button>
            <span class="step-moves">
              <button
                type="button"
                class="small quiet"
                disabled={at === 0}
                aria-label={`Move step ${at + 1} up`}
                onClick={() => move(at, at - 1)}
              >
                ↑
              </button>
              <button
                type="button"
                class="small quiet"
                disabled={at === steps.length - 1}
                aria-label={`Move step ${at + 1} down`}
                onClick={() => move(at, at + 1)}
              >
                ↓
              </button>
            </span>
          </li>
        ))}
      </ol>
      <p class="note" id="step-nav-note">
        Drag to reorder, or Alt with ↑ and ↓.
      </p>
      <details class="add-step">
        <summary class="button">Add step</summary>
        <ul>
          {STEP_KINDS.map((kind) => (
            <li key={kind.type}>
              <button
                type="button"
                onClick={(event) => {
                  event.currentTarget.closest('details')?.removeAttribute('open');
                  onAdd(kind);
                }}
              >
                <ChannelGlyph type={kind.type} /> <strong>{kind.label}</strong> <span class="soft">{kind.about}</span>
              </button>
            </li>
          ))}
        </ul>
      </details>
      <p class="unseen" aria-live="polite">
        {said}
      </p>
    </nav>
  );
}

/** The name of a step, or else of its type. */
export function titleOf(step: DraftStep | undefined): string {
  if (step === undefined) return 'Step';
  return step.name || kindOf(step.template.type)?.label || typeLabel(step.template.type);
}
