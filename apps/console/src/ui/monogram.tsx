import type { VNode } from 'preact';
import { colorOf, initialsOf } from './initials.js';

const COLORS = ['accent', 'good', 'warn', 'busy', 'neutral'];

/** A tile with the initials of a provider, or of a person, whose tile is round. The name stands beside it. */
export function Monogram({ name, isPerson = false }: { name: string; isPerson?: boolean }): VNode {
  const color = COLORS[colorOf(name, COLORS.length)] ?? 'neutral';
  return (
    <span class={`monogram ${color}${isPerson ? ' person' : ''}`} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
