import type { VNode } from 'preact';

/** A shape and a colour for each kind of state; the word beside it says the same. */
export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'idle';

const SHAPES: Readonly<Record<Tone, VNode>> = {
  good: <path d="M2.5 6.5 5 9l4.5-6" />,
  bad: <path d="m3 3 6 6M9 3l-6 6" />,
  warn: <path d="M6 2v5M6 9.2v.6" />,
  busy: <path d="M6 3v3l2 1.4" />,
  idle: <path d="M3 6h6" />,
};

export function StatusMark({ tone }: { tone: Tone }): VNode {
  return (
    <svg class={`status-mark ${tone}`} viewBox="0 0 12 12" width="14" height="14" aria-hidden="true">
      {tone === 'warn' ? <path class="ground" d="M6 .4 12 11.4H0z" /> : <circle class="ground" cx="6" cy="6" r="6" />}
      {SHAPES[tone]}
    </svg>
  );
}

export function Status({ tone, label }: { tone: Tone; label: string }): VNode {
  return (
    <span class={`status ${tone}`}>
      <StatusMark tone={tone} />
      {label}
    </span>
  );
}
