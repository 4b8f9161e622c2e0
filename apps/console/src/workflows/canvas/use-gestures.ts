import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Point } from './view.js';

/** What pointers and the wheel do. Points are those of the window of the canvas. */
export interface Gestures {
  readonly pan: (by: Point) => void;
  readonly zoom: (factor: number, at: Point) => void;
  /** @returns whether there was anything more to see */
  readonly scroll: (by: Point) => boolean;
  /** Undefined where steps stay where they are. */
  readonly drag: Drag | undefined;
}

export interface Drag {
  readonly begin: (step: number, at: Point) => void;
  readonly to: (at: Point) => void;
  readonly drop: () => void;
  readonly cancel: () => void;
}

/** A press that moves less is a click. */
const SLIP = 5;
const LINE = 16;

interface Press {
  readonly from: Point;
  /** The step that is under it, if steps can be moved. */
  readonly step: number | undefined;
  isMoving: boolean;
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** Listens to a canvas: one pointer moves the ground, or a step; two of them and the wheel with Ctrl change its size. */
export function useGestures(area: RefObject<HTMLElement>, gestures: Gestures): void {
  const latest = useRef(gestures);
  latest.current = gestures;
  useEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    const stop = new AbortController();
    listenToPointers(element, latest, stop.signal);
    listenToWheel(element, latest, stop.signal);
    return () => stop.abort();
  }, []);
}

function pointOf(element: HTMLElement, event: MouseEvent): Point {
  const { left, top } = element.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

function listenToWheel(element: HTMLElement, latest: { readonly current: Gestures }, signal: AbortSignal): void {
  const turn = (event: WheelEvent): void => {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      latest.current.zoom(Math.exp((-event.deltaY * unit) / 300), pointOf(element, event));
    } else if (latest.current.scroll({ x: event.deltaX * unit, y: event.deltaY * unit })) {
      // At its end, the page goes on.
      event.preventDefault();
    }
  };
  element.addEventListener('wheel', turn, { passive: false, signal });
}

function listenToPointers(element: HTMLElement, latest: { readonly current: Gestures }, signal: AbortSignal): void {
  const pointers = new Map<number, Point>();
  let press: Press | undefined;
  const down = (event: PointerEvent): void => {
    const { target } = event;
    // A second finger.
    if (press?.step !== undefined && pointers.size > 0) latest.current.drag?.cancel();
    press = undefined;
    if (event.button !== 0 || !(target instanceof Element) || target.closest('.canvas-still') !== null) return;
    pointers.set(event.pointerId, pointOf(element, event));
    const card = latest.current.drag && target.closest<HTMLElement>('[data-step]');
    const step = card ? Number(card.dataset['step']) : undefined;
    press = { from: pointOf(element, event), step, isMoving: false };
  };
  const move = (event: PointerEvent): void => {
    const before = pointers.get(event.pointerId);
    if (before === undefined || press === undefined) return;
    const at = pointOf(element, event);
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    if (other === undefined && !press.isMoving && distance(press.from, at) < SLIP) return;
    pointers.set(event.pointerId, at);
    if (!press.isMoving) {
      press.isMoving = true;
      element.setPointerCapture(event.pointerId);
      if (press.step !== undefined && other === undefined) latest.current.drag?.begin(press.step, at);
    }
    if (other !== undefined) {
      latest.current.zoom(distance(at, other) / Math.max(1, distance(before, other)), other);
    } else if (press.step === undefined) {
      latest.current.pan({ x: at.x - before.x, y: at.y - before.y });
    } else {
      latest.current.drag?.to(at);
    }
  };
  const end = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId) || press?.isMoving !== true) return;
    if (press.step === undefined) return;
    if (event.type === 'pointerup') latest.current.drag?.drop();
    else latest.current.drag?.cancel();
  };
  const click = (event: MouseEvent): void => {
    // The end of a movement is no click; the keyboard clicks without a press.
    if (press?.isMoving !== true || event.detail === 0) return;
    press = undefined;
    event.stopPropagation();
    event.preventDefault();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || press?.isMoving !== true || press.step === undefined) return;
    pointers.clear();
    latest.current.drag?.cancel();
  };
  element.addEventListener('pointerdown', down, { signal });
  element.addEventListener('pointermove', move, { signal });
  element.addEventListener('pointerup', end, { signal });
  element.addEventListener('pointercancel', end, { signal });
  element.addEventListener('click', click, { capture: true, signal });
  window.addEventListener('keydown', key, { signal });
}
