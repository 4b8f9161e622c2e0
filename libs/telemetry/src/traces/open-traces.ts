import type { Span, SpanContext, SpanKind as OtelKind, Tracer } from '@opentelemetry/api';
import type { IdGenerator } from '@opentelemetry/sdk-trace-node';
import { type AppConfig, ConfigError } from '#libs/config';
import {
  type FinishedSpan,
  formatTraceparent,
  type OpenSpan,
  parseTraceparent,
  type SpanKind,
  type SpanSink,
  traces,
} from './traces.js';

/** For the last export at shutdown. */
const FLUSH_MS = 3_000;

export interface OpenTraces {
  /** Exports remaining spans. */
  close(): Promise<void>;
}

/** By the variables of OpenTelemetry. */
export function hasTraces(config: AppConfig): boolean {
  const exporter = config.get('OTEL_TRACES_EXPORTER');
  return exporter === 'otlp' || (exporter === undefined && config.get('OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined);
}

type Packages = [
  typeof import('@opentelemetry/api'),
  typeof import('@opentelemetry/sdk-trace-node'),
  typeof import('@opentelemetry/exporter-trace-otlp-http'),
  typeof import('@opentelemetry/resources'),
];

const loadPackages = (): Promise<Packages> =>
  Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);

const NOT_INSTALLED =
  'OTEL_TRACES_EXPORTER: the packages that export traces are not installed. Install them beside Herald: npm install ' +
  '@opentelemetry/api @opentelemetry/sdk-trace-node @opentelemetry/exporter-trace-otlp-http @opentelemetry/resources';

/**
 * OTLP over HTTP. The libraries read their other variables themselves.
 * @throws {ConfigError} if they are not installed
 */
export async function openTraces(config: AppConfig, load = loadPackages): Promise<OpenTraces> {
  const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await load().catch((error: unknown) => {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing ? new ConfigError([NOT_INSTALLED]) : error;
  });
  const random = new sdk.RandomIdGenerator();
  const ids = new ChosenIds(random);
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': config.get('OTEL_SERVICE_NAME'), 'process.pid': process.pid }),
    idGenerator: ids,
    spanProcessors: [new sdk.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  // Not registered as the global provider, which would follow a current span through asynchronous calls.
  traces.connect(new OtelSink(api, provider.getTracer('herald'), ids));
  return {
    close: async () => {
      traces.connect(undefined);
      let timer: NodeJS.Timeout | undefined;
      const timeOut = new Promise<void>((resolve) => (timer = setTimeout(resolve, FLUSH_MS)));
      // A collector that does not answer must not keep the process from ending.
      await Promise.race([provider.shutdown().catch(() => undefined), timeOut]);
      clearTimeout(timer);
    },
  };
}

/** Sets a chosen id for the next span; spans are made synchronously. */
class ChosenIds implements IdGenerator {
  private next: string | undefined;

  constructor(private readonly random: IdGenerator) {}

  choose(spanId: string | undefined): void {
    this.next = spanId;
  }

  generateSpanId(): string {
    const chosen = this.next;
    this.next = undefined;
    return chosen ?? this.random.generateSpanId();
  }

  generateTraceId(): string {
    return this.random.generateTraceId();
  }
}

type Api = typeof import('@opentelemetry/api');

class OtelSink implements SpanSink {
  constructor(
    private readonly api: Api,
    private readonly tracer: Tracer,
    private readonly ids: ChosenIds,
  ) {}

  begin(parent: string | undefined): OpenSpan {
    const { SpanStatusCode } = this.api;
    const span = this.start('request', { kind: this.kindOf('server'), parent });
    const { traceId, spanId, traceFlags } = span.spanContext();
    const isSampled = (traceFlags & this.api.TraceFlags.SAMPLED) !== 0;
    return {
      traceparent: isSampled ? formatTraceparent({ traceId, spanId, isSampled }) : undefined,
      end: ({ name, attributes, hasFailed }) => {
        span.updateName(name).setAttributes(attributes);
        if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  record({ name, kind, parent, spanId, startedAt, endedAt, attributes, error }: FinishedSpan): void {
    this.ids.choose(spanId);
    const span = this.start(name, { kind: this.kindOf(kind), parent, startedAt });
    this.ids.choose(undefined);
    span.setAttributes(attributes);
    if (error !== undefined) span.setStatus({ code: this.api.SpanStatusCode.ERROR, message: error });
    span.end(endedAt);
  }

  private start(
    name: string,
    { kind, parent, startedAt }: { kind: OtelKind; parent: string | undefined; startedAt?: Date },
  ): Span {
    const { ROOT_CONTEXT, trace } = this.api;
    const remote = this.contextOf(parent);
    const context = remote === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
    return this.tracer.startSpan(name, { kind, ...(startedAt && { startTime: startedAt }) }, context);
  }

  private contextOf(traceparent: string | undefined): SpanContext | undefined {
    const address = parseTraceparent(traceparent);
    if (address === undefined) return undefined;
    const { NONE, SAMPLED } = this.api.TraceFlags;
    const { traceId, spanId, isSampled } = address;
    return { traceId, spanId, traceFlags: isSampled ? SAMPLED : NONE, isRemote: true };
  }

  private kindOf(kind: SpanKind): OtelKind {
    const { SpanKind } = this.api;
    return kind === 'server' ? SpanKind.SERVER : kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
  }
}
