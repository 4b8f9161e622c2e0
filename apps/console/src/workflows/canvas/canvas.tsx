import type { VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { DraftStep } from '../../drafts/draft.js';
import type { Place } from '../../drafts/places.js';
import { titleOf } from '../../drafts/step-words.js';
import type { StepFigures } from '../figure-words.js';
import { CanvasCard } from './canvas-card.js';
import { type ArmName, CARD_WIDTH, type Layout, layoutOf } from './layout.js';
import { useCardDrag } from './use-card-drag.js';
import { useGestures } from './use-gestures.js';
import { useView } from './use-view.js';
import { type Point, type Size, STEP_OF_ZOOM } from './view.js';

export interface CanvasProps {
  readonly steps: readonly DraftStep[];
  /** What starts the workflow. */
  readonly trigger: string;
  /** `uuid` of the open step. */
  readonly chosen: string | undefined;
  readonly onChoice: (uuid: string) => void;
  /** By the ids of the steps; undefined where they are not shown. */
  readonly figures?: ReadonlyMap<string, StepFigures> | undefined;
  /** Only where the workflow is changed. */
  readonly editing?: Editing;
}

export interface Editing {
  readonly faulty: readonly string[];
  readonly onSteps: (steps: readonly DraftStep[], about: string) => void;
  readonly onPlus: (place: Place) => void;
  readonly onSettings: () => void;
}

/** A plus stands between two cards. */
const EDITED = { card: 76, gap: 56 };
const WITH_FIGURES = { card: 116, gap: 36 };

/** A workflow as a picture: its steps as cards joined by lines, arms side by side. */
export function Canvas({ steps, trigger, chosen, onChoice, figures, editing }: CanvasProps): VNode {
  const area = useRef<HTMLDivElement>(null);
  const heights = figures === undefined ? EDITED : WITH_FIGURES;
  const layout = useMemo(() => layoutOf(steps, heights), [steps, heights]);
  const view = useView(area, layout);
  const dragging = useCardDrag({ steps, layout, view: view.shown, onSteps: editing?.onSteps });
  useGestures(area, { pan: view.pan, zoom: view.zoom, scroll: view.scroll, drag: dragging.drag });
  const { x, y, scale } = view.shown;
  return (
    <div class="canvas">
      <div ref={area} class="canvas-window" onScroll={keepUnscrolled}>
        <div class="canvas-plane" style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}>
          <Lines layout={layout} />
          <ArmNames steps={steps} arms={layout.arms} />
          <Start
            layout={layout}
            trigger={trigger}
            isChosen={chosen === undefined}
            onSettings={editing?.onSettings}
            onFocus={view.show}
          />
          <ol aria-label="Steps of the workflow">
            {steps.map((step, at) => (
              <CanvasCard
                key={step.uuid}
                step={step}
                steps={steps}
                at={at}
                point={dragging.pointOf(at) ?? layout.cards[at] ?? layout.start}
                height={heights.card}
                figures={step._id === undefined ? undefined : figures?.get(step._id)}
                isChosen={step.uuid === chosen}
                isFaulty={editing?.faulty.includes(step.uuid) === true}
                isDragged={dragging.pointOf(at) !== undefined}
                isMovable={editing !== undefined}
                onChoice={() => onChoice(step.uuid)}
                onFocus={() => view.show(layout.cards[at] ?? layout.start, { width: CARD_WIDTH, height: heights.card })}
              />
            ))}
          </ol>
          {editing && (
            <Places {...{ layout, steps }} target={dragging.target} onPlus={editing.onPlus} onFocus={view.show} />
          )}
        </div>
      </div>
      <Tools scale={scale} onZoom={view.zoomMiddle} onFit={view.fit} />
      <p class="unseen" aria-live="polite">
        {dragging.said}
      </p>
    </div>
  );
}

/** Browsers scroll to what gets the focus; here, the view moves instead. */
function keepUnscrolled({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  currentTarget.scrollTo(0, 0);
}

function Lines({ layout: { width, height, lines, end } }: { layout: Layout }): VNode {
  return (
    <svg class="canvas-lines" width={width} height={height} aria-hidden="true">
      {lines.map((line) => (
        <path key={line} d={line} />
      ))}
      <circle cx={end.x} cy={end.y} r={5} />
    </svg>
  );
}

/** Of what is in view when its middle is. */
const NO_SIZE = { width: 0, height: 0 };

interface StartProps {
  readonly layout: Layout;
  readonly trigger: string;
  readonly isChosen: boolean;
  readonly onSettings: (() => void) | undefined;
  readonly onFocus: (point: Point, size: Size) => void;
}

/** What starts the workflow; in the editor, the way to its settings. */
function Start({ layout: { start }, trigger, isChosen, onSettings, onFocus }: StartProps): VNode {
  const style = { left: `${start.x}px`, top: `${start.y}px` };
  if (onSettings === undefined) {
    return (
      <span class="canvas-start" style={style}>
        {trigger}
      </span>
    );
  }
  return (
    <button
      type="button"
      class="canvas-start canvas-still"
      style={style}
      aria-current={isChosen ? 'true' : undefined}
      onFocus={() => onFocus(start, NO_SIZE)}
      onClick={onSettings}
    >
      {trigger} <span class="soft">Settings</span>
    </button>
  );
}

interface PlacesProps {
  readonly layout: Layout;
  readonly steps: readonly DraftStep[];
  /** Where the step that is dragged would stand. */
  readonly target: Place | undefined;
  readonly onPlus: (place: Place) => void;
  readonly onFocus: (point: Point, size: Size) => void;
}

/** A plus between two cards each. */
function Places({ layout: { places }, steps, target, onPlus, onFocus }: PlacesProps): VNode {
  return (
    <>
      {places.map((place) => (
        <button
          key={`${place.at} ${place.branch?.step} ${place.branch?.arm}`}
          type="button"
          class={place === target ? 'canvas-plus canvas-still target' : 'canvas-plus canvas-still'}
          style={{ left: `${place.x}px`, top: `${place.y}px` }}
          aria-label={`Add a step ${placeWords(place, steps.length)}`}
          onFocus={() => onFocus(place, NO_SIZE)}
          onClick={() => onPlus({ at: place.at, branch: place.branch })}
        >
          +
        </button>
      ))}
    </>
  );
}

function placeWords({ at, branch }: Place, count: number): string {
  const arm = branch === undefined ? '' : ` in the arm “${branch.arm}”`;
  return `${at < count ? `before step ${at + 1}` : 'at the end'}${arm}`;
}

interface ToolsProps {
  readonly scale: number;
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

function Tools({ scale, onZoom, onFit }: ToolsProps): VNode {
  return (
    <div class="canvas-tools" role="group" aria-label="Size of the canvas">
      <button type="button" class="small" aria-label="Smaller" onClick={() => onZoom(1 / STEP_OF_ZOOM)}>
        −
      </button>
      <span class="canvas-scale">{Math.round(scale * 100)} %</span>
      <button type="button" class="small" aria-label="Larger" onClick={() => onZoom(STEP_OF_ZOOM)}>
        +
      </button>
      <button type="button" class="small" onClick={onFit}>
        Fit
      </button>
    </div>
  );
}

/** For screen readers, each card says in which arm it stands. */
function ArmNames({ steps, arms }: { steps: readonly DraftStep[]; arms: readonly ArmName[] }): VNode {
  return (
    <>
      {arms.map(({ x, y, decider, arm, isAgain }) => (
        <span
          key={`${decider} ${arm} ${y}`}
          class="canvas-arm"
          style={{ left: `${x}px`, top: `${y}px` }}
          aria-hidden="true"
        >
          {isAgain && `${titleOf(steps[decider])}: `}
          {arm}
        </span>
      ))}
    </>
  );
}
