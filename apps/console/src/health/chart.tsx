import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { axisTop } from './health-words.js';

const HEIGHT = 100;
const STEP = 10;
const BAR = 8;

interface Props {
  readonly points: readonly { readonly at: string; readonly sent: number; readonly failed: number }[];
  /** All messages of each step of the period before, to compare with. */
  readonly former?: readonly number[];
  /** What the chart shows, for those who cannot see it. */
  readonly words: string;
  readonly nameOf: (at: string) => string;
}

/** Sent and failed by step of the period, one bar each, with failed ones hatched on top, and the period before as a line. */
export function Chart({ points, former = [], words, nameOf }: Props): VNode {
  const hatched = useId();
  const top = axisTop(Math.max(...points.map(({ sent, failed }) => sent + failed), ...former));
  const scale = (count: number): number => (count === 0 ? 0 : Math.max(2, (count / top) * HEIGHT));
  const width = points.length * STEP - (STEP - BAR);
  const middle = points[Math.floor(points.length / 2)];
  return (
    <figure class="chart">
      <div class="chart-axis" aria-hidden="true">
        {[top, top / 2, 0].map((count) => (
          <span key={count}>{Number.isInteger(count) ? count.toLocaleString('en') : ''}</span>
        ))}
      </div>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
        <defs>
          <pattern id={hatched} width={3} height={3} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="chart-failed-ground" width={3} height={3} />
            <rect class="chart-failed" width={1.7} height={3} />
          </pattern>
        </defs>
        {[0, HEIGHT / 2, HEIGHT].map((y) => (
          <line key={y} class="chart-ground" x1={0} x2={width} y1={y} y2={y} />
        ))}
        {points.map(({ at, sent, failed }, place) => {
          const low = scale(sent);
          const high = scale(failed);
          const before = former[place];
          return (
            <g key={at}>
              <title>
                {`${nameOf(at)}: ${sent} sent, ${failed} failed${before === undefined ? '' : `; ${before} in the period before`}`}
              </title>
              <rect class="chart-place" x={place * STEP} y={0} width={STEP} height={HEIGHT} />
              <rect class="chart-sent" x={place * STEP} y={HEIGHT - low} width={BAR} height={low} />
              <rect fill={`url(#${hatched})`} x={place * STEP} y={HEIGHT - low - high} width={BAR} height={high} />
            </g>
          );
        })}
        {former.length > 0 && (
          <polyline
            class="chart-former"
            points={points
              .map((_, place) => `${place * STEP + BAR / 2},${HEIGHT - scale(former[place] ?? 0)}`)
              .join(' ')}
          />
        )}
      </svg>
      <figcaption>
        <span>{points[0] && nameOf(points[0].at)}</span>
        <span>{middle && points.length > 4 && nameOf(middle.at)}</span>
        <span>now</span>
      </figcaption>
      {former.length > 0 && (
        <p class="chart-key note">
          <span class="chart-key-line" /> the period before
        </p>
      )}
    </figure>
  );
}
