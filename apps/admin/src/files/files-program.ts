import { printable, printableLines } from '../printable.js';
import { FILES_USAGE, FilesUsageError, parseFilesCommand } from './command.js';
import { EXIT, type ExitCode, runFilesCommand, type Terminal } from './run-files-command.js';

/** Where the program writes text as it is. */
export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** If there is somebody to ask. */
  readonly ask?: (question: string) => Promise<boolean>;
}

/** `herald pull`, `push` and `promote`, from the command line to the exit code. */
export async function filesProgram(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { out, err, ask }: Streams,
): Promise<ExitCode> {
  const terminal: Terminal = {
    print: (line) => out(`${printable(line)}\n`),
    complain: (line) => err(`${printable(line)}\n`),
    ...(ask && { ask }),
  };
  try {
    if (args.includes('--help') || args.includes('-h')) {
      out(`${FILES_USAGE}\n`);
      return EXIT.done;
    }
    return await runFilesCommand(parseFilesCommand(args, env), terminal);
  } catch (error) {
    const { message, stack } = error as Error;
    const isMistake = error instanceof FilesUsageError;
    err(`${printableLines(isMistake ? message : (stack ?? message))}\n`);
    return isMistake ? EXIT.refused : EXIT.failed;
  }
}
