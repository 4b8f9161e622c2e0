import { EventEmitter2 } from '@nestjs/event-emitter';
import type { TestApp } from '../harness/index.js';

/** Collects the domain events of one class from now on. */
export function recordEvents<E extends object>(api: TestApp, event: abstract new (...args: never[]) => E): E[] {
  const heard: E[] = [];
  api.app.get(EventEmitter2).on(event.name, (told: E) => void heard.push(told));
  return heard;
}
