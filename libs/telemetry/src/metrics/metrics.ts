import type { Registry } from 'prom-client';
import type { AppConfig } from '#libs/config';
import { COUNTERS, HISTOGRAMS } from './catalogue.js';
import type { Gauge } from './instruments.js';

/** As Prometheus reads it. */
export interface MetricsPage {
  readonly contentType: string;
  text(): Promise<string>;
}

export interface Metrics extends MetricsPage {
  /** Stops recording. */
  close(): void;
}

export function hasMetrics(config: AppConfig): boolean {
  return config.get('METRICS_PORT') !== undefined || config.get('METRICS_TOKEN') !== undefined;
}

/** Includes the default metrics of Prometheus clients. */
export async function openMetrics(gauges: readonly Gauge[]): Promise<Metrics> {
  const prometheus = await import('prom-client');
  const registry = new prometheus.Registry();
  const histograms = HISTOGRAMS.map(({ description: { name, help, labels, buckets } }) => {
    const made = new prometheus.Histogram({
      name,
      help,
      labelNames: [...labels],
      buckets: [...buckets],
      registers: [registry],
    });
    return made.observe.bind(made);
  });
  const counters = COUNTERS.map(({ description: { name, help, labels } }) => {
    const made = new prometheus.Counter({ name, help, labelNames: [...labels], registers: [registry] });
    return made.inc.bind(made);
  });
  for (const gauge of gauges) addGauge(prometheus, registry, gauge);
  prometheus.collectDefaultMetrics({ register: registry });
  HISTOGRAMS.forEach((histogram, place) => histogram.connect(histograms[place]));
  COUNTERS.forEach((counter, place) => counter.connect(counters[place]));
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close: () => {
      for (const instrument of [...HISTOGRAMS, ...COUNTERS]) instrument.connect(undefined);
      registry.clear();
    },
  };
}

type Prometheus = typeof import('prom-client');

function addGauge(prometheus: Prometheus, registry: Registry, { name, help, labels, kind, read }: Gauge): void {
  const common = { name, help, labelNames: [...labels], registers: [registry] };
  if (kind === 'level') {
    new prometheus.Gauge({
      ...common,
      async collect() {
        for (const { labels: values, value } of await read()) this.set(values, value);
      },
    });
    return;
  }
  new prometheus.Counter({
    ...common,
    async collect() {
      const readings = await read();
      this.reset();
      for (const { labels: values, value } of readings) this.inc(values, value);
    },
  });
}
