import type { AppConfig } from '#libs/config';

/** A running store and its address. */
export interface Store {
  /** Connection string for the driver. */
  readonly uri: string;
  /** Readable description of the store and the location of its data, without credentials. */
  readonly description: string;
  /** Whether the driver publishes every command, for measurements that count them. */
  readonly monitorCommands?: boolean;
  /** Stops the store if this process started it. */
  close(): Promise<void>;
}

/**
 * Opens the store of this installation: MONGODB_URI if it is set, otherwise the embedded store with its data in DATA_DIR.
 * The same settings always give the same choice, so that data never seems to vanish.
 * @param onFatal called when the embedded store has stopped and cannot be restarted
 */
export async function openStore(config: AppConfig, onFatal: (error: Error) => void): Promise<Store> {
  const uri = config.get('MONGODB_URI');
  if (uri !== undefined) {
    return { uri, description: `MongoDB at ${withoutCredentials(uri)}`, close: () => Promise.resolve() };
  }
  const { launchEmbeddedMongo } = await import('@herald/embedded-mongo');
  const dataDir = config.get('DATA_DIR');
  const embedded = await launchEmbeddedMongo({ dataDir, onFatal, onLog: passOnWarnings });
  return { uri: embedded.uri, description: `embedded store in ${dataDir}`, close: () => embedded.stop() };
}

/** The store logs JSON lines as Herald does; its warnings and errors go into the same log. */
function passOnWarnings(line: string): void {
  if (/"level":"(warn|error|fatal)"/.test(line)) process.stdout.write(`${line}\n`);
}

function withoutCredentials(uri: string): string {
  return uri.replace(/\/\/[^@/]*@/, '//').split('?', 1)[0] ?? uri;
}
