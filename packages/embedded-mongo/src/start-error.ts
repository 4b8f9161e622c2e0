/** What ends a process that reads a damaged file through memory: pages that are missing, or that lead astray. */
const OF_DAMAGE: Partial<Record<NodeJS.Signals, string>> = {
  SIGBUS: 'the data file is cut short, or the disk failed',
  SIGSEGV: 'the data file is damaged, or the memory failed',
  SIGABRT: 'the data file is damaged, or the memory failed',
};

/** Why a process was ended by a signal. */
export function signalText(signal: NodeJS.Signals): string {
  if (signal === 'SIGKILL') return 'someone ended it, or the system did for its memory';
  return OF_DAMAGE[signal] ?? 'look who sends it';
}

/** The same, with what to do. */
export function endText(signal: NodeJS.Signals, damageHint: string): string {
  return `${signalText(signal)}.${signal in OF_DAMAGE ? ` ${damageHint}` : ''}`;
}

/** The store could not be started; the message says why. */
export class StoreStartError extends Error {
  override readonly name = 'StoreStartError';
}
