import { basename } from 'node:path';
import { keepCache, loadJoinedProgram } from './joined-program.mjs';

/**
 * Runs a program of the bundle in this process, with the compiled code that its last run has kept.
 * @param {string} file one of JOINED (bin/commands.mjs)
 */
export async function run(file) {
  // Each command runs another part of the program, and reading the code of all would take longer than compiling its own.
  const part = basename(file, '.js');
  const { script, program } = loadJoinedProgram(part);
  await program.commands[file]();
  // The code of a command that only prints its usage, or fails, would be too little for the next.
  const isWhole = !process.exitCode && !process.argv.some((word) => ['--help', '-h'].includes(word));
  if (script.cachedDataRejected !== false && isWhole) keepCache(script, part);
}
