import { useRef, useState } from 'preact/hooks';
import type { DraftStep } from '../../drafts/draft.js';
import { movedTo, withArms } from '../../drafts/places.js';
import { titleOf } from '../../drafts/step-words.js';
import type { Layout } from './layout.js';
import type { Drag } from './use-gestures.js';
import { nearestTo, type Point, pointIn, type View } from './view.js';

interface Options {
  readonly steps: readonly DraftStep[];
  readonly layout: Layout;
  readonly view: View;
  /** Undefined: steps stay where they are. */
  readonly onSteps: ((steps: readonly DraftStep[], about: string) => void) | undefined;
}

interface Dragged {
  readonly step: number;
  /** What goes with it: the steps in its arms. */
  readonly taken: ReadonlySet<number>;
  /** Where it can go. */
  readonly places: Layout['places'];
  readonly begin: Point;
  readonly by: Point;
  readonly target: Layout['places'][number] | undefined;
}

interface CardDrag {
  readonly drag: Drag | undefined;
  readonly target: Layout['places'][number] | undefined;
  /** Where a card is meanwhile; undefined for those that are not dragged. */
  readonly pointOf: (step: number) => Point | undefined;
  /** What has moved, for screen readers. */
  readonly said: string;
}

/** Moves steps to places between others, also in other arms. */
export function useCardDrag({ steps, layout, view, onSteps }: Options): CardDrag {
  const [dragged, setDragged] = useState<Dragged>();
  const [said, say] = useState('');
  // A pointer may move and let go before the next drawing.
  const latest = useRef<Dragged>();
  const set = (next: Dragged | undefined): void => {
    latest.current = next;
    setDragged(next);
  };
  const drag: Drag = {
    begin: (step, at) => {
      const places = layout.places.filter((place) => movedTo(steps, step, place) !== steps);
      set({ step, taken: withArms(steps, step), places, begin: at, by: { x: 0, y: 0 }, target: undefined });
    },
    to: (at) => {
      const held = latest.current;
      if (held === undefined) return;
      const by = { x: (at.x - held.begin.x) / view.scale, y: (at.y - held.begin.y) / view.scale };
      set({ ...held, by, target: nearestTo(held.places, pointIn(view, at)) });
    },
    drop: () => {
      const held = latest.current;
      set(undefined);
      if (held?.target === undefined) return;
      const next = movedTo(steps, held.step, held.target);
      const uuid = steps[held.step]?.uuid;
      onSteps?.(next, 'move');
      const to = next.findIndex((step) => step.uuid === uuid);
      say(`${titleOf(next[to])} is now step ${to + 1} of ${next.length}.`);
    },
    cancel: () => set(undefined),
  };
  return {
    drag: onSteps && drag,
    target: dragged?.target,
    pointOf: (step) => {
      const card = layout.cards[step];
      if (card === undefined || dragged?.taken.has(step) !== true) return undefined;
      return { x: card.x + dragged.by.x, y: card.y + dragged.by.y };
    },
    said,
  };
}
