import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { typeLabel } from '../activity/words.js';
import type { Schemas } from '../api/client.js';
import { Chart } from '../health/chart.js';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { type Column, Table } from '../ui/table.js';
import { type Figure, Figures } from './figures.js';
import {
  type Counts,
  endOf,
  intervalName,
  listAddress,
  reported,
  share,
  type Summary,
  volumeWords,
} from './home-words.js';

type Channel = Schemas['ChannelActivityResponse'];
type Point = Counts & { readonly at: string };

const NONE: Counts = { sent: 0, delivered: 0, read: 0, bounced: 0, failed: 0, skipped: 0 };

interface Props {
  readonly summary: Summary;
  /** Of the period before. */
  readonly former: Summary | undefined;
}

/** Each channel over the period. */
export function Channels({ summary, former }: Props): VNode {
  return (
    <ul class="providers">
      {summary.channels.map((channel) => (
        <ChannelPanel key={channel.channel} own={channel} summary={summary} former={former} />
      ))}
    </ul>
  );
}

function ChannelPanel({ own, summary, former }: Props & { own: Channel }): VNode {
  const { channel, sent, delivered, bounced, failed, skipped } = own;
  const { from, interval } = summary;
  const name = typeLabel(channel);
  const pointsIn = (period: Summary): Point[] =>
    period.points.map(({ at, channels }) => ({ ...NONE, ...channels.find((one) => one.channel === channel), at }));
  const points = pointsIn(summary);
  const hasFormer = former?.channels.some((one) => one.channel === channel) === true;
  const all = listAddress({ channel }, from);
  const figures: Figure[] = [
    { name: 'Sent', value: sent.toLocaleString('en'), href: all },
    { name: 'Delivered', ...reported(delivered, own), href: all },
    { name: 'Read', ...reportedRead(own), href: all },
    ...(bounced > 0 ? [{ name: 'Bounced', value: bounced.toLocaleString('en'), href: all }] : []),
    { name: 'Failed', value: failed.toLocaleString('en'), href: listAddress({ channel, status: 'failed' }, from) },
    { name: 'Skipped', value: skipped.toLocaleString('en'), href: all },
  ];
  const nameOf = (at: string): string => intervalName(at, interval);
  return (
    <li class="panel provider">
      <header class="step-head">
        <h2>
          <ChannelGlyph type={channel} /> {name}
        </h2>
      </header>
      <Figures figures={figures} />
      <Chart
        points={points}
        {...(hasFormer && { former: pointsIn(former).map((point) => point.sent + point.failed) })}
        words={volumeWords(name, own, `By ${interval}, ${points.length} in all`)}
        nameOf={nameOf}
      />
      <details>
        <summary class="note">Show as table</summary>
        <Table
          caption={`${name} by ${interval}`}
          columns={columnsOf(channel, interval)}
          rows={points}
          keyOf={({ at }) => at}
        />
      </details>
    </li>
  );
}

/** The inbox tells itself what is read. */
function reportedRead(own: Channel): ReturnType<typeof reported> {
  const { channel, read, sent } = own;
  return channel === 'in_app' ? { value: read.toLocaleString('en'), note: share(read, sent) } : reported(read, own);
}

function columnsOf(channel: Channel['channel'], interval: Summary['interval']): Column<Point>[] {
  const count = (label: string, of: keyof Counts): Column<Point> => ({
    label,
    kind: 'number',
    cell: (point) => point[of].toLocaleString('en'),
  });
  return [
    {
      label: interval === 'day' ? 'Day (UTC)' : 'From',
      kind: 'main',
      cell: ({ at }) => (
        <Link href={listAddress({ channel }, at, endOf(at, interval))}>{intervalName(at, interval)}</Link>
      ),
    },
    count('Sent', 'sent'),
    count('Delivered', 'delivered'),
    count('Read', 'read'),
    count('Failed', 'failed'),
  ];
}
