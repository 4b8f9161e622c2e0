import type { operations } from '../../../../packages/client/src/schema.js';

type ListQuery = NonNullable<operations['listNotifications']['parameters']['query']>;
export type NotificationStatus = NonNullable<ListQuery['status']>[number];
export type StepType = NonNullable<ListQuery['channels']>[number];

/** What the reader has chosen. Empty texts choose nothing. */
export interface Filters {
  readonly status: string;
  readonly channel: string;
  readonly workflow: string;
  readonly subscriber: string;
  readonly transaction: string;
  readonly search: string;
  /** One of `PERIODS`, or empty. */
  readonly period: string;
  /** Local times of the browser, as fields of the type `datetime-local` have them. Only without a period. */
  readonly from: string;
  readonly to: string;
}

const STATUSES: readonly NotificationStatus[] = [
  'active',
  'completed',
  'failed',
  'dead',
  'uncertain',
  'canceled',
  'merged',
];
/** Types of steps, those of plugins included; Herald refuses what is none. */
const TYPE = /^[a-z][\w-]*$/i;

const HOUR_MS = 3_600_000;
export const PERIODS: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  '1h': { label: 'Last hour', ms: HOUR_MS },
  '24h': { label: 'Last 24 hours', ms: 24 * HOUR_MS },
  '7d': { label: 'Last 7 days', ms: 168 * HOUR_MS },
};

const NAMES = ['status', 'channel', 'workflow', 'subscriber', 'transaction', 'search', 'period', 'from', 'to'] as const;

/** Everything. */
export const NO_FILTERS = Object.fromEntries(NAMES.map((name) => [name, ''])) as unknown as Filters;

/** Reads the filters of an address, so that it can be shared. Values that mean nothing are left out. */
export function filtersOf(parameters: URLSearchParams): Filters {
  const read = Object.fromEntries(
    NAMES.map((name) => [name, parameters.get(name)?.trim() ?? '']),
  ) as unknown as Filters;
  return {
    ...read,
    status: oneOf(STATUSES, read.status) ?? '',
    channel: TYPE.test(read.channel) ? read.channel : '',
    period: read.period in PERIODS ? read.period : '',
    from: isMoment(read.from) ? read.from : '',
    to: isMoment(read.to) ? read.to : '',
  };
}

/** The address of a page of the list. */
export function parametersOf(filters: Filters, page = 0): Record<string, string> {
  const chosen = NAMES.filter((name) => filters[name] !== '').map((name) => [name, filters[name]]);
  return { ...(Object.fromEntries(chosen) as Record<string, string>), ...(page > 0 && { page: String(page) }) };
}

export function pageOf(parameters: URLSearchParams): number {
  const page = Number(parameters.get('page') ?? 0);
  return Number.isInteger(page) && page > 0 ? page : 0;
}

export function isFiltered(filters: Filters): boolean {
  return NAMES.some((name) => filters[name] !== '');
}

type SharedQuery = Pick<
  ListQuery,
  'channels' | 'templates' | 'subscriberIds' | 'transactionId' | 'search' | 'from' | 'to'
>;

/** The filters of the API but for the status, which a replay does not have. */
export function replayFilterOf(filters: Filters, now: number): SharedQuery {
  const { channel, workflow, subscriber, transaction, search, period, from, to } = filters;
  const length = PERIODS[period]?.ms;
  return {
    ...(channel !== '' && { channels: [channel as StepType] }),
    ...(workflow !== '' && { templates: [workflow] }),
    ...(subscriber !== '' && { subscriberIds: [subscriber] }),
    ...(transaction !== '' && { transactionId: transaction }),
    ...(search !== '' && { search }),
    ...(length !== undefined && { from: new Date(now - length).toISOString() }),
    ...(length === undefined && from !== '' && { from: new Date(from).toISOString() }),
    ...(length === undefined && to !== '' && { to: new Date(to).toISOString() }),
  };
}

export function queryOf(filters: Filters, now: number): ListQuery {
  const status = oneOf(STATUSES, filters.status);
  return { ...replayFilterOf(filters, now), ...(status && { status: [status] }) };
}

function oneOf<T extends string>(known: readonly T[], text: string): T | undefined {
  return known.find((one) => one === text);
}

function isMoment(text: string): boolean {
  return text !== '' && !Number.isNaN(Date.parse(text));
}
