import { FilesUsageError } from '../files/command.js';
import { ApiFault, HeraldUnavailable } from '../files/herald-client.js';
import { printable, printableLines } from '../printable.js';
import { CommandError } from '../run-command.js';
import { dev, DEV_USAGE } from './dev.js';
import { mcp, MCP_USAGE } from './mcp.js';
import type { Env } from './place.js';
import { tail, TAIL_USAGE } from './tail.js';
import { trigger, TRIGGER_USAGE } from './trigger.js';
import { types, TYPES_USAGE } from './types.js';

export interface LiveStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** The text of a file, or of standard input by the name `-`. */
  readonly read: (path: string) => Promise<string>;
  readonly open: (url: string) => void;
  /** Ends the command; it then has not failed. */
  readonly signal: AbortSignal;
}

/** What a command does with its line and settings. @returns its exit code */
export type LiveCommand = (args: readonly string[], env: Env, streams: LiveStreams) => Promise<number>;

const COMMANDS: Readonly<Record<string, { readonly usage: string; readonly run: LiveCommand }>> = {
  trigger: { usage: TRIGGER_USAGE, run: trigger },
  tail: { usage: TAIL_USAGE, run: tail },
  dev: { usage: DEV_USAGE, run: dev },
  mcp: { usage: MCP_USAGE, run: mcp },
  types: { usage: TYPES_USAGE, run: types },
};

/** `herald trigger`, `tail`, `dev`, `mcp` and `types`, from the command line to the exit code. */
export async function liveProgram(args: readonly string[], env: Env, streams: LiveStreams): Promise<number> {
  const [name = '', ...rest] = args;
  const command = COMMANDS[name];
  if (command === undefined) {
    streams.err(`Name one of ${Object.keys(COMMANDS).join(', ')}.\n`);
    return 2;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    streams.out(`${command.usage}\n`);
    return 0;
  }
  try {
    return await command.run(rest, env, streams);
  } catch (error) {
    if (streams.signal.aborted) return 0;
    const { text, code } = explain(error, command.usage);
    streams.err(`${printableLines(text)}\n`);
    return code;
  }
}

function explain(error: unknown, usage: string): { text: string; code: number } {
  const { message, stack, code = '' } = error as Error & { code?: string };
  if (error instanceof CommandError) return { text: message, code: error.exitCode };
  if (error instanceof FilesUsageError) return { text: message, code: 2 };
  if (code.startsWith('ERR_PARSE_ARGS')) return { text: `${message}\n\n${usage}`, code: 2 };
  if (error instanceof ApiFault) return { text: faultText(error), code: 1 };
  if (error instanceof HeraldUnavailable) {
    return { text: `${message} Start Herald, or name it with HERALD_URL.`, code: 1 };
  }
  return { text: stack ?? message, code: 1 };
}

function faultText({ status, faults, hint }: ApiFault): string {
  const lines = status === 401 ? faults.map((fault) => `The API key was rejected: ${fault}`) : faults;
  return [...lines, ...(hint === undefined ? [] : [hint])].map(printable).join('\n');
}
