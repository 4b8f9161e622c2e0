// Results as Markdown tables, which are also readable in a terminal.
import { median, percentile, ratioOf, spreadOf } from './statistics.mjs';

const NAMES = {
  herald: 'Herald',
  straightforward: 'straightforward',
  bare: 'bare',
  plain: 'plain',
  plainBare: 'plain bare',
};
/** Where a contestant does not take part. */
const ABSENT = '–';

/** @param results of scenarios: { comparisons, figures, tables } */
export function tables(results) {
  const comparisons = results.flatMap((result) => result.comparisons ?? []);
  const figures = results.flatMap((result) => result.figures ?? []);
  const parts = [];
  if (comparisons.length > 0) parts.push(comparisonTable(comparisons), costTable(comparisons));
  if (figures.length > 0) parts.push(figureTable(figures));
  parts.push(...results.flatMap((result) => result.tables ?? []));
  return parts.join('\n\n');
}

/** Medians, with the lowest and highest round in parentheses. */
function comparisonTable(comparisons) {
  const others = Object.keys(NAMES).slice(1);
  const header = ['requests/s', ...Object.values(NAMES), ...others.map((name) => `Herald / ${NAMES[name]}`)];
  const rows = comparisons.map((row) => [
    row.name,
    ...Object.keys(NAMES).map((name) => withSpread(row.contestants[name]?.perSecond, short)),
    ...others.map((name) => withSpread(row.ratios[name], fixed)),
  ]);
  return table(header, rows);
}

/** What one request costs each of them. */
function costTable(comparisons) {
  const each = (row, key, digits = 0) =>
    Object.keys(NAMES)
      .map((name) => row.contestants[name]?.[key].toFixed(digits) ?? ABSENT)
      .join(' / ');
  const header = [
    Object.values(NAMES).join(' / '),
    'API µs',
    'store µs',
    'load µs',
    'store commands',
    'p99 ms',
    'bare µs / Herald µs',
  ];
  const rows = comparisons.map((row) => [
    row.name,
    each(row, 'apiUs'),
    each(row, 'storeUs'),
    each(row, 'loadUs'),
    each(row, 'commands', 1),
    each(row, 'p99Ms'),
    withSpread(row.ratios['cpu bare'], fixed),
  ]);
  return table(header, rows);
}

function figureTable(figures) {
  const rows = figures.map(({ name, value, unit, low, high, reference, note }) => [
    name,
    `${short(value)} ${unit}`,
    low === undefined ? '' : `${short(low)}–${short(high)}`,
    reference === undefined ? '' : `${short(reference.value)} (${reference.name})`,
    reference === undefined ? '' : reference.ratio.toFixed(2),
    note ?? '',
  ]);
  return table(['', 'median', 'spread', 'compared with', 'ratio', ''], rows);
}

export function table(header, rows) {
  const widths = header.map((_, column) => Math.max(3, ...[header, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function withSpread(spread, show) {
  if (spread === undefined) return ABSENT;
  const { value, low, high } = spread;
  return `${show(value)} (${show(low)}–${show(high)})`;
}

const fixed = (number) => number.toFixed(2);

function short(number) {
  if (number >= 100) return Math.round(number).toLocaleString('en');
  return number.toFixed(number >= 10 ? 1 : 2);
}

/**
 * A figure of several rounds, with its median and its lowest and highest round.
 * @param reference { name, rounds } measured in the same rounds; the ratio is the median of the ratios of each round
 */
export function figureOf(name, unit, rounds, key, reference) {
  const values = rounds.map((round) => round[key]);
  return {
    name,
    unit,
    ...spreadOf(values),
    ...(reference && {
      reference: {
        name: reference.name,
        value: median(reference.rounds.map((round) => round[key])),
        ratio: ratioOf(rounds, reference.rounds, key).value,
      },
    }),
  };
}

export const percentileFigures = (name, times) =>
  [50, 99].map((part) => ({ name: `${name}, p${part}`, unit: 'ms', value: percentile(times, part) }));
