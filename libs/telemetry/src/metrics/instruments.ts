export interface MetricDescription<L extends string = string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly L[];
}

export interface HistogramDescription<L extends string = string> extends MetricDescription<L> {
  /** Upper bounds in seconds. */
  readonly buckets: readonly number[];
}

export type LabelValues<L extends string = string> = Readonly<Record<L, string>>;

export type Recorder = (labels: LabelValues, value: number) => void;

/** Until it is connected, each value costs only one comparison. */
abstract class Instrument<L extends string> {
  private recorder: Recorder | undefined;

  constructor(readonly description: MetricDescription<L>) {}

  /** @param recorder undefined to stop recording */
  connect(recorder: Recorder | undefined): void {
    this.recorder = recorder;
  }

  protected record(labels: LabelValues<L>, value: number): void {
    this.recorder?.(labels, value);
  }
}

export class Counter<L extends string = string> extends Instrument<L> {
  add(labels: LabelValues<L>, count = 1): void {
    this.record(labels, count);
  }
}

export class Histogram<L extends string = string> extends Instrument<L> {
  constructor(override readonly description: HistogramDescription<L>) {
    super(description);
  }

  observeMs(labels: LabelValues<L>, milliseconds: number): void {
    this.record(labels, milliseconds / 1_000);
  }
}

/** Read when metrics are requested. */
export interface Gauge<L extends string = string> extends MetricDescription<L> {
  /** `total` for values that only grow. */
  readonly kind: 'level' | 'total';
  readonly read: () => Promise<readonly Reading<L>[]>;
}

export interface Reading<L extends string = string> {
  readonly labels: LabelValues<L>;
  readonly value: number;
}
