import { createHash } from 'node:crypto';

type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'server' | 'internal' | 'client';

export interface FinishedSpan {
  readonly name: string;
  readonly kind: SpanKind;
  /** W3C `traceparent` of the parent. */
  readonly parent: string;
  /** 16 hex digits; default: random. */
  readonly spanId?: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly attributes: Attributes;
  /** Present if the work failed. */
  readonly error?: string;
}

export interface OpenSpan {
  /** For child spans; undefined if the trace is not sampled. */
  readonly traceparent: string | undefined;
  end(result: { readonly name: string; readonly attributes: Attributes; readonly hasFailed: boolean }): void;
}

export interface SpanSink {
  /** @param parent the `traceparent` of the caller, as sent */
  begin(parent: string | undefined): OpenSpan;
  record(span: FinishedSpan): void;
}

/**
 * Parents are always explicit: following a current span through asynchronous calls slows down every promise of the
 * process. Without an exporter nothing is recorded.
 */
export class Traces {
  private sink: SpanSink | undefined;

  /** @param sink undefined to stop recording */
  connect(sink: SpanSink | undefined): void {
    this.sink = sink;
  }

  begin(parent: string | undefined): OpenSpan | undefined {
    return this.sink?.begin(parent);
  }

  /** @param make called only if spans are recorded and there is a parent */
  record(parent: string | undefined, make: (parent: string) => FinishedSpan): void {
    if (this.sink === undefined || parent === undefined) return;
    this.sink.record(make(parent));
  }
}

export const traces = new Traces();

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface SpanAddress {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** @returns undefined if it is invalid */
export function parseTraceparent(text: string | undefined): SpanAddress | undefined {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(text ?? '') ?? [];
  if (!/[^0]/.test(traceId) || !/[^0]/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: SpanAddress): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/**
 * Deterministic, so that any process can name the span as a parent before it ends.
 * @param repetition how often it was done before
 */
export function spanIdOf(id: string, repetition: number): string {
  return createHash('sha1').update(`${id}:${repetition}`).digest('hex').slice(0, 16);
}

export function inSameTrace(traceparent: string, spanId: string): string {
  return `${traceparent.slice(0, 36)}${spanId}${traceparent.slice(52)}`;
}
