import { h, icon, type IconName } from './dom.js';

/** So far a row has to be moved. */
const FAR = 88;
/** From here on it is a swipe, and no tap. */
const BEGINS = 12;

export interface SwipeAction {
  readonly icon: IconName;
  readonly label: string;
  readonly done: () => void;
}

interface Swipe {
  readonly id: string;
  readonly pointerId: number;
  readonly fromX: number;
  readonly hint: HTMLElement;
  by: number;
  isMoved: boolean;
}

/**
 * Rows are moved aside with a finger. @param list has the rows, which can be drawn anew meanwhile
 * @param actionsOf what happens with a row that is moved towards the start of a line, and towards its end
 */
export function listenToSwipes(
  list: HTMLElement,
  actionsOf: (id: string) => { readonly start: SwipeAction; readonly end: SwipeAction } | undefined,
): void {
  let swipe: Swipe | undefined;
  let wasSwiped = false;

  const rowOf = ({ id }: Swipe): HTMLElement | null => list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  const actionOf = ({ id, by }: Swipe): SwipeAction | undefined => {
    const isForwards = by > 0 === (getComputedStyle(list).direction !== 'rtl');
    return actionsOf(id)?.[isForwards ? 'end' : 'start'];
  };
  const end = (): void => {
    if (swipe === undefined) return;
    swipe.hint.remove();
    rowOf(swipe)?.style.removeProperty('translate');
    swipe = undefined;
  };

  list.addEventListener('pointerdown', ({ pointerType, pointerId, clientX, target }) => {
    wasSwiped = false;
    const id = (target as Element).closest<HTMLElement>('.item')?.dataset['id'];
    if (pointerType !== 'touch' || id === undefined || swipe !== undefined) return;
    if ((target as Element).closest('input, select') !== null) return;
    const hint = h('div', { class: 'swipe', 'aria-hidden': 'true' });
    swipe = { id, pointerId, fromX: clientX, hint, by: 0, isMoved: false };
  });
  list.addEventListener('pointermove', ({ pointerId, clientX }) => {
    if (swipe?.pointerId !== pointerId) return;
    swipe.by = clientX - swipe.fromX;
    if (!swipe.isMoved) {
      if (Math.abs(swipe.by) < BEGINS) return;
      swipe.isMoved = true;
      list.setPointerCapture(pointerId);
    }
    const row = rowOf(swipe);
    if (row === null) return end();
    draw(swipe, row, actionOf(swipe));
    if (!swipe.hint.isConnected) list.prepend(swipe.hint);
  });
  list.addEventListener('pointerup', ({ pointerId }) => {
    if (swipe?.pointerId !== pointerId) return;
    const action = swipe.isMoved && Math.abs(swipe.by) >= FAR ? actionOf(swipe) : undefined;
    wasSwiped = swipe.isMoved;
    end();
    action?.done();
  });
  list.addEventListener('pointercancel', end);
  // The finger that moved a row does not press what is under it.
  list.addEventListener(
    'click',
    (event) => {
      if (!wasSwiped) return;
      wasSwiped = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}

/** The row aside, and what will happen in its place. */
function draw({ by, hint }: Swipe, row: HTMLElement, action: SwipeAction | undefined): void {
  row.style.setProperty('translate', `${by}px 0`);
  hint.style.transform = row.style.transform;
  hint.style.height = `${row.offsetHeight}px`;
  hint.classList.toggle('right', by < 0);
  hint.classList.toggle('far', Math.abs(by) >= FAR);
  if (hint.title !== action?.label) hint.replaceChildren(...(action ? [icon(action.icon), action.label] : []));
  hint.title = action?.label ?? '';
}
