import { firstView, nearestTo, pointIn, scrolled, showing, wholeView, zoomed } from './view.js';

const WINDOW = { width: 600, height: 400 };
const CARD = { width: 240, height: 80 };
const TALL = { width: 300, height: 2_000 };

describe('wholeView and firstView', () => {
  it('should show all of a drawing, or its beginning so that it can be read', () => {
    const whole = wholeView(TALL, WINDOW);
    expect(whole.y + TALL.height * whole.scale).toBeLessThan(WINDOW.height);
    expect(firstView(TALL, WINDOW)).toEqual({ scale: 1, x: 150, y: 24 });
    expect(firstView({ width: 6_000, height: 100 }, WINDOW).scale).toBe(0.6);
  });
});

describe('zoomed', () => {
  it('should keep the point of the drawing that is under the pointer, and have limits', () => {
    const view = { x: 10, y: 20, scale: 1 };
    const point = { x: 200, y: 100 };
    expect(pointIn(zoomed(view, 1.5, point), point)).toEqual(pointIn(view, point));
    expect([zoomed(view, 100, point).scale, zoomed(view, 0.001, point).scale]).toEqual([2, 0.1]);
  });
});

describe('scrolled', () => {
  it('should go to the end, and leave further turns of the wheel to the page', () => {
    const begin = firstView(TALL, WINDOW);
    const end = scrolled(begin, { x: 50, y: 9_999 }, TALL, WINDOW);
    expect(end).toEqual({ scale: 1, x: begin.x, y: WINDOW.height - 24 - TALL.height });
    expect(scrolled(end, { x: 0, y: 100 }, TALL, WINDOW)).toBe(end);
    expect(scrolled(begin, { x: 0, y: -100 }, TALL, WINDOW)).toBe(begin);
  });
});

describe('showing', () => {
  it('should move no further than is needed', () => {
    const view = { x: 0, y: 0, scale: 1 };
    const shown = showing(view, { x: 50, y: 1_000 }, CARD, WINDOW);
    expect(shown).toEqual({ x: 0, y: WINDOW.height - 24 - 1_080, scale: 1 });
    expect(showing(shown, { x: 50, y: 1_000 }, CARD, WINDOW)).toEqual(shown);
    expect(showing(view, { x: -CARD.width, y: 100 }, CARD, WINDOW).x).toBe(CARD.width + 24);
  });
});

describe('nearestTo', () => {
  it('should find the place that is near, and none that is far', () => {
    const places = [
      { x: 100, y: 50 },
      { x: 100, y: 200 },
    ];
    expect(nearestTo(places, { x: 160, y: 190 })).toBe(places[1]);
    expect(nearestTo(places, { x: 700, y: 190 })).toBeUndefined();
  });
});
