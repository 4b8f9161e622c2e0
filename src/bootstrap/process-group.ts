import cluster, { type Worker as ChildProcess } from 'node:cluster';
import { type AppConfig, ConfigError } from '#libs/config';
import type { Store } from '#libs/persistence';
import { hasMetrics, openGroupMetrics, openMetricsServer } from '#libs/telemetry';
import { WORK_DUE } from '#libs/work';
import { freePort } from './free-port.js';
import { type MemberReport, shareStore } from './group-member.js';
import { programFile } from './program-file.js';
import { type RunningProcess, timeToEnd } from './run-process.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;
/** After this uptime, a failure starts a new count. */
const STABLE_MS = 30_000;
/**
 * A process that has not stopped by then, plus {@link timeToEnd}, is killed; shorter than the limit of the whole group.
 */
const STOP_MS = 15_000;

/** The process has printed the reason. */
class GroupStartError extends Error {
  override readonly name = 'GroupStartError';
}

/** WEB_CONCURRENCY processes share one port and one store; one of them delivers. */
export async function startGroup(config: AppConfig, store: Store): Promise<RunningProcess> {
  assertMetricsPort(config);
  const metrics = hasMetrics(config) ? await openMetricsServer(config, await openGroupMetrics()) : undefined;
  // With port 0, processes restarted after all have died would get another port.
  const port = config.get('PORT') || (await freePort(config.get('HOST')));
  const group = new ProcessGroup(store, port, STOP_MS + timeToEnd(config));
  const count = config.get('WEB_CONCURRENCY');
  if (config.get('REAL_TIME') === 'on' && config.get('REDIS_URL') === undefined) await passAnnouncements();
  // One after the other, because the first one may create the indexes and the API key.
  const welcome = await group.add({ delivers: true });
  await Promise.all(Array.from({ length: count - 1 }, () => group.add({ delivers: false })));
  return {
    welcome: welcome.replace(/^( *Data .*)$/m, `$1\n  Processes ${count}`),
    stop: async () => {
      await group.stop();
      await metrics?.close();
      await store.close();
    },
  };
}

function assertMetricsPort(config: AppConfig): void {
  if (!hasMetrics(config) || config.get('METRICS_PORT') !== undefined) return;
  throw new ConfigError([
    'METRICS_PORT: with WEB_CONCURRENCY, metrics need a port of their own, on which those of all processes are added up',
  ]);
}

/** From each process to the others. */
async function passAnnouncements(): Promise<void> {
  const { setupPrimary } = await import('@socket.io/cluster-adapter');
  setupPrimary();
}

interface Place {
  /** The delivery engine moves to the replacement in this place. */
  readonly delivers: boolean;
  child?: ChildProcess;
  failures: number;
}

/** Replaces processes that die, and passes wake-ups to the one that delivers. */
class ProcessGroup {
  private readonly places: Place[] = [];
  private isStopping = false;

  constructor(
    private readonly store: Store,
    private readonly port: number,
    private readonly stopMs: number,
  ) {
    // Not this process's own program, which may be a tool that builds Herald first.
    cluster.setupPrimary({ exec: programFile('./main.js', '../main.js'), args: [] });
    cluster.on('message', (_child, message: unknown) => {
      if (message === WORK_DUE) this.wakeEngine();
    });
  }

  /**
   * Resolves with the welcome text when the process is ready.
   * @throws {GroupStartError} if it ends before
   */
  async add({ delivers }: { delivers: boolean }): Promise<string> {
    const place: Place = { delivers, failures: 0 };
    this.places.push(place);
    try {
      return await this.start(place);
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const children = this.places.flatMap(({ child }) => (child === undefined || child.isDead() ? [] : [child]));
    await Promise.all(children.map((child) => end(child, this.stopMs)));
  }

  private start(place: Place): Promise<string> {
    // With DELIVERY_WORKER=off, none delivers.
    const child = cluster.fork({
      PORT: this.port,
      ...shareStore(this.store),
      ...(!place.delivers && { DELIVERY_WORKER: 'off' }),
    });
    place.child = child;
    return new Promise((resolve, reject) => {
      let readyAt: number | undefined;
      child.on('message', (message: unknown) => {
        if (!isReport(message)) return;
        readyAt = Date.now();
        resolve(message.welcome);
      });
      child.once('exit', (code, signal) => {
        reject(new GroupStartError(`A process ended before it was ready (${signal || `code ${code}`}).`));
        if (readyAt !== undefined || place.failures > 0) this.replace(place, readyAt, signal || `code ${code}`);
      });
    });
  }

  private replace(place: Place, readyAt: number | undefined, how: string): void {
    if (this.isStopping) return;
    const isStable = readyAt !== undefined && Date.now() - readyAt >= STABLE_MS;
    place.failures = isStable ? 1 : place.failures + 1;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (place.failures - 1), MAX_PAUSE_MS);
    const { pid } = place.child?.process ?? {};
    log(`process ${pid} ended unexpectedly (${how}); another one is started in ${pauseMs} ms`);
    setTimeout(() => {
      // The exit handler reports the failure and starts the next one.
      if (!this.isStopping) this.start(place).catch(() => undefined);
    }, pauseMs);
  }

  private wakeEngine(): void {
    const child = this.places.find(({ delivers }) => delivers)?.child;
    if (child?.isConnected()) child.send(WORK_DUE, () => undefined);
  }
}

function isReport(message: unknown): message is MemberReport {
  return typeof message === 'object' && message !== null && 'welcome' in message;
}

async function end(child: ChildProcess, withinMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.process.kill('SIGTERM');
  const timer = setTimeout(() => child.process.kill('SIGKILL'), withinMs);
  await ended;
  clearTimeout(timer);
}

function log(msg: string): void {
  process.stdout.write(
    `${JSON.stringify({ level: 'error', time: new Date().toISOString(), context: 'ProcessGroup', msg })}\n`,
  );
}
