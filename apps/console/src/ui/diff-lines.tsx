import type { VNode } from 'preact';

export interface DifferentLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

/** The lines of two texts, with what only one of them has marked by a sign and a color. */
export function DiffLines({ label, lines }: { label: string; lines: readonly DifferentLine[] }): VNode {
  return (
    <pre class="raw diff" tabIndex={0} aria-label={label}>
      {lines.map(({ kind, text }, at) => (
        <span key={at} class={kind}>
          {SIGNS[kind]} {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
