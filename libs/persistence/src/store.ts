import { join, resolve } from 'node:path';
import { type AppConfig, commandLine } from '#libs/config';

export interface Store {
  readonly uri: string;
  /** For logs, without credentials. */
  readonly description: string;
  /** The driver publishes every command, for measurements. */
  readonly monitorCommands?: boolean;
  close(): Promise<void>;
}

/**
 * MONGODB_URI if it is set, otherwise the embedded store in DATA_DIR. The same settings always give the same choice, so
 * that data never seems to vanish.
 * @param onFatal called when the embedded store has stopped and cannot be restarted
 */
export async function openStore(config: AppConfig, onFatal: (error: Error) => void): Promise<Store> {
  const uri = config.get('MONGODB_URI');
  if (uri !== undefined) {
    return { uri, description: `MongoDB at ${describeUri(uri)}`, close: () => Promise.resolve() };
  }
  const { launchEmbeddedMongo } = await import('@herald/embedded-mongo');
  const dataDir = config.get('DATA_DIR');
  const embedded = await launchEmbeddedMongo({
    dataDir,
    onFatal,
    onLog: passOnWarnings,
    damageHint: damageHint(dataDir),
  });
  return { uri: embedded.uri, description: `embedded store in ${dataDir}`, close: () => embedded.stop() };
}

/** What to do about a damaged embedded store. */
export function damageHint(dataDir: string): string {
  const restore = commandLine('restore', ' --from <folder of the backup>');
  return `Move ${join(resolve(dataDir), 'store')} away and restore a backup: ${restore}. To see what is damaged: ${commandLine('doctor', ' --verify')}`;
}

/** The store logs JSON lines like Herald's; its warnings and errors are passed on. */
function passOnWarnings(line: string): void {
  if (/"level":"(warn|error|fatal)"/.test(line)) process.stdout.write(`${line}\n`);
}

/** Without credentials and options. */
export function describeUri(uri: string): string {
  return uri.replace(/\/\/[^@/]*@/, '//').split('?', 1)[0] ?? uri;
}
