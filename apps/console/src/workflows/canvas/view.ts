export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Which part of the drawing is in the window, and how large: a point of it is seen at `point * scale + (x, y)`. */
export interface View extends Point {
  readonly scale: number;
}

export const STEP_OF_ZOOM = 1.25;
const LEAST = 0.1;
const MOST = 2;
/** A text is not readable below. */
const READABLE = 0.6;
const MARGIN = 24;
/** How far from a place a step can be let go. */
const REACH = 110;

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** All of it. */
export function wholeView(drawing: Size, window: Size): View {
  const fitting = Math.min((window.width - 2 * MARGIN) / drawing.width, (window.height - 2 * MARGIN) / drawing.height);
  const scale = within(fitting, LEAST, 1);
  return { scale, x: (window.width - drawing.width * scale) / 2, y: MARGIN };
}

/** Its beginning, as wide as it is, but so that it can be read. */
export function firstView(drawing: Size, window: Size): View {
  const scale = within((window.width - 2 * MARGIN) / drawing.width, READABLE, 1);
  return { scale, x: (window.width - drawing.width * scale) / 2, y: MARGIN };
}

/** Larger or smaller, while this point of the window stays where it is. */
export function zoomed(view: View, factor: number, point: Point): View {
  const scale = within(view.scale * factor, LEAST, MOST);
  const by = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * by, y: point.y - (point.y - view.y) * by };
}

/** Moved as far as there is more to see: the same view, if there is none. */
export function scrolled(view: View, by: Point, drawing: Size, window: Size): View {
  const along = (at: number, change: number, length: number, room: number): number => {
    const size = length * view.scale;
    if (size + 2 * MARGIN <= room) return at;
    return within(at - change, Math.min(at, room - MARGIN - size), Math.max(at, MARGIN));
  };
  const x = along(view.x, by.x, drawing.width, window.width);
  const y = along(view.y, by.y, drawing.height, window.height);
  return x === view.x && y === view.y ? view : { ...view, x, y };
}

/** Moved no further than is needed to see something. @param point its upper left corner */
export function showing(view: View, point: Point, size: Size, window: Size): View {
  const along = (at: number, from: number, length: number, room: number): number => {
    const [begin, end] = [at + from * view.scale, at + (from + length) * view.scale];
    if (begin < MARGIN || end - begin > room - 2 * MARGIN) return at + MARGIN - begin;
    return end > room - MARGIN ? at + room - MARGIN - end : at;
  };
  return {
    ...view,
    x: along(view.x, point.x, size.width, window.width),
    y: along(view.y, point.y, size.height, window.height),
  };
}

export function pointIn({ x, y, scale }: View, point: Point): Point {
  return { x: (point.x - x) / scale, y: (point.y - y) / scale };
}

/** The place at which a step that is let go here would stand. Cards are wide, so a distance to the side counts less. */
export function nearestTo<P extends Point>(places: readonly P[], point: Point): P | undefined {
  const distance = (place: Point): number => Math.hypot((place.x - point.x) / 2, place.y - point.y);
  return places
    .filter((place) => distance(place) <= REACH)
    .toSorted((one, other) => distance(one) - distance(other))[0];
}
