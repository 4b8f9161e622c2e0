import type { ExecutionContext, Type } from '@nestjs/common';
import { oncePerRoute, type RouteHandler } from './once-per-route.js';

class Base {
  list(): void {
    // Only its identity counts.
  }
}
class Feeds extends Base {}
class Layouts extends Base {}

const contextOf = (controller: Type<unknown>, handler: unknown): ExecutionContext =>
  ({ getClass: () => controller, getHandler: () => handler }) as ExecutionContext;

describe('oncePerRoute', () => {
  it('should compute once for each controller of an inherited handler', () => {
    const computed: RouteHandler[] = [];
    const nameOf = oncePerRoute((route) => {
      computed.push(route);
      return route.controller.name;
    });
    const { list } = Base.prototype;
    const asked = [Feeds, Layouts, Feeds, Layouts].map((controller) => nameOf(contextOf(controller, list)));
    expect(asked).toEqual(['Feeds', 'Layouts', 'Feeds', 'Layouts']);
    expect(computed).toHaveLength(2);
  });

  it('should name the method of a handler that a decorator has replaced by another function', () => {
    class Topics {
      read(): void {
        // Replaced below.
      }
    }
    const replacement = (): void => undefined;
    Object.defineProperty(Topics.prototype, 'read', { value: replacement });
    expect(oncePerRoute(({ name }) => name)(contextOf(Topics, replacement))).toBe('read');
  });
});
