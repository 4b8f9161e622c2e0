import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs command lines of the generators one after the other in one process, which loads the compiler and the formatter once.
 * @param root the clone whose generators run
 * @param env of the process
 * @returns what each printed, and its exit code
 */
export async function runGenerators(root, lines, env) {
  const program = `
    const ends = [];
    for (const line of ${JSON.stringify(lines)}) {
      const end = { code: 0, out: [], err: [] };
      console.log = (text) => void end.out.push(text);
      console.error = (text) => void end.err.push(text);
      process.argv.splice(1, Infinity, 'run.mjs', ...line);
      process.exitCode = 0;
      await import('./tools/schematics/run.mjs?' + ends.length);
      ends.push({ ...end, code: process.exitCode });
    }
    process.exitCode = 0;
    process.stdout.write(JSON.stringify(ends));`;
  const options = { cwd: root, env, maxBuffer: 1e8 };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], options);
  return JSON.parse(stdout);
}

/** Without what a run of Jest has told its own processes. */
export function ownEnvironment() {
  const names = ['JEST_WORKER_ID', 'NODE_OPTIONS', 'NODE_ENV', 'HERALD_TEST_STORE_URI', 'HERALD_HOME'];
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)));
}
