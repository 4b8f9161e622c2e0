import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

const HEIGHT = 56;
const STEP = 10;
const BAR = 8;

interface Props {
  readonly points: readonly { readonly at: string; readonly sent: number; readonly failed: number }[];
  /** What the chart shows, for those who cannot see it. */
  readonly words: string;
  readonly nameOf: (at: string) => string;
}

/** Sent and failed by step of the period, one bar each, with failed ones hatched on top. */
export function Chart({ points, words, nameOf }: Props): VNode {
  const hatched = useId();
  const max = Math.max(1, ...points.map(({ sent, failed }) => sent + failed));
  const scale = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / max) * (HEIGHT - 4)));
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${points.length * STEP - (STEP - BAR)} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        <defs>
          <pattern id={hatched} width={3} height={3} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="chart-failed-ground" width={3} height={3} />
            <rect class="chart-failed" width={1.7} height={3} />
          </pattern>
        </defs>
        {points.map(({ at, sent, failed }, place) => {
          const low = scale(sent);
          const high = scale(failed);
          return (
            <g key={at}>
              <title>{`${nameOf(at)}: ${sent} sent, ${failed} failed`}</title>
              <rect class="chart-ground" x={place * STEP} y={HEIGHT - 1} width={BAR} height={1} />
              <rect class="chart-sent" x={place * STEP} y={HEIGHT - low} width={BAR} height={low} />
              <rect fill={`url(#${hatched})`} x={place * STEP} y={HEIGHT - low - high} width={BAR} height={high} />
            </g>
          );
        })}
      </svg>
      <figcaption>
        <span>{points[0] && nameOf(points[0].at)}</span>
        <span>max: {max.toLocaleString('en')}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
