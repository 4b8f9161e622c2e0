import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Layout } from './layout.js';
import { firstView, type Point, scrolled, showing, type Size, type View, wholeView, zoomed } from './view.js';

interface MovableView {
  readonly shown: View;
  readonly pan: (by: Point) => void;
  readonly scroll: (by: Point) => boolean;
  readonly zoom: (factor: number, at: Point) => void;
  readonly zoomMiddle: (factor: number) => void;
  readonly fit: () => void;
  /** Moves as far as is needed to see something of the drawing. */
  readonly show: (point: Point, size: Size) => void;
}

/** The view of a canvas. It follows the size of its window until somebody has moved it. */
export function useView(area: RefObject<HTMLElement>, layout: Layout): MovableView {
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const wasMoved = useRef(false);
  const latest = useRef(layout);
  const size = (): Size => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = area.current ?? {};
    return { width, height };
  };
  useLayoutEffect(() => {
    const begin = (): void => {
      if (!wasMoved.current) setView(firstView(latest.current, size()));
    };
    begin();
    const observer = new ResizeObserver(begin);
    if (area.current) observer.observe(area.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    // The start stays where it is when the drawing grows to the side.
    const by = latest.current.start.x - layout.start.x;
    latest.current = layout;
    setView((before) => ({ ...before, x: before.x + by * before.scale }));
  }, [layout]);
  const change = (to: (before: View) => View): void => {
    wasMoved.current = true;
    setView(to);
  };
  const zoom = (factor: number, at: Point): void => change((before) => zoomed(before, factor, at));
  return {
    shown: view,
    pan: (by) => change((before) => ({ ...before, x: before.x + by.x, y: before.y + by.y })),
    scroll: (by) => {
      const next = scrolled(view, by, layout, size());
      if (next !== view) change(() => next);
      return next !== view;
    },
    zoom,
    zoomMiddle: (factor) => zoom(factor, { x: size().width / 2, y: size().height / 2 }),
    fit: () => change(() => wholeView(layout, size())),
    show: (point, shown) => {
      const next = showing(view, point, shown, size());
      if (next.x !== view.x || next.y !== view.y) change(() => next);
    },
  };
}
