import type { VNode } from 'preact';
import { lazyPart } from '../../lazy-page.js';
import { useRemembered } from '../../ui/remembered.js';
import type { CanvasProps } from './canvas.js';

/** Loaded where somebody looks at it. */
export const Canvas = lazyPart<CanvasProps>(async () => (await import('./canvas.js')).Canvas);

const LOOKS = ['canvas', 'list'] as const;
export type Look = (typeof LOOKS)[number];
/** Below, a list shows more. */
const ROOM = '(min-width: 900px)';

/** How steps are shown: as somebody chose before, in any workflow. */
export function useLook(): [Look, (look: Look) => void] {
  return useRemembered<Look>('steps', LOOKS, window.matchMedia(ROOM).matches ? 'canvas' : 'list');
}

export function LookSwitch({ look, onLook }: { look: Look; onLook: (look: Look) => void }): VNode {
  return (
    <div class="toggle" role="group" aria-label="Show steps as">
      {LOOKS.map((one) => (
        <button key={one} type="button" aria-pressed={one === look} onClick={() => onLook(one)}>
          {one === 'canvas' ? 'Canvas' : 'List'}
        </button>
      ))}
    </div>
  );
}
