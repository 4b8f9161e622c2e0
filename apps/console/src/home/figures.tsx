import type { VNode } from 'preact';
import { Link } from 'wouter-preact';

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
  /** The list behind it. */
  readonly href: string;
}

export function Figures({ figures }: { figures: readonly Figure[] }): VNode {
  return (
    <dl class="figures">
      {figures.map(({ name, value, note, href }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Link href={href} aria-label={`${name}: ${value}`}>
              {value}
            </Link>
            {note && <span class="soft"> {note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
