import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programPath } from './program-path.js';
import { signalText } from './start-error.js';
import type { VerifyTotals } from './store/verify.js';

export interface VerifyOptions {
  /** Of the store, which another process may be using. */
  dataDir: string;
  /** Hears of each damage in a sentence. */
  onDamage: (sentence: string) => void;
  /** Documents and index entries of a collection that were read, and how many there are about. */
  onProgress?: (collection: string, done: number, of: number) => void;
}

/** A line of the program that reads. */
export type VerifyLine =
  | { type: 'progress'; ns: string; done: number; of: number }
  | { type: 'damage'; sentence: string }
  | { type: 'end'; totals: VerifyTotals }
  | { type: 'failed'; message: string };

/**
 * Reads everything that the store of a data directory has, documents and indexes in both directions, in a process of its own: what is
 * damaged may end the one that reads it. It changes nothing, and sees one state of a store that is in use.
 *
 * @returns undefined if the store could not be read to its end
 */
export async function verifyEmbeddedMongo({
  dataDir,
  onDamage,
  onProgress,
}: VerifyOptions): Promise<VerifyTotals | undefined> {
  const child = fork(programPath(), ['--verify', '--dbpath', join(dataDir, 'store')], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  let at: string | undefined;
  let last: VerifyLine | undefined;
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const exit = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (_code, signal) => resolve(signal));
  });
  for await (const line of lines) {
    last = JSON.parse(line) as VerifyLine;
    if (last.type === 'progress') {
      at = last.ns;
      onProgress?.(last.ns, last.done, last.of);
    } else if (last.type === 'damage') onDamage(last.sentence);
  }
  const signal = await exit;
  if (last?.type === 'end') return last.totals;
  if (signal === null) throw new Error(last?.type === 'failed' ? last.message : 'The store could not be read.');
  const where = at === undefined ? 'opened the store' : `read ${at}`;
  onDamage(`the process that ${where} was ended by ${signal}: ${signalText(signal)}. The rest was not examined.`);
  return undefined;
}
