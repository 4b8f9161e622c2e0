import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface ProgramEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What Node runs for a built program. @param path below `dist` */
export const builtProgram = (path: string): string[] =>
  path.startsWith('apps/')
    ? [join(process.cwd(), 'tools', 'run-built.mjs'), path]
    : [join(process.cwd(), 'dist', path)];

/** Runs a built program to its end. @param path below `dist` */
export function runProgram(
  path: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Promise<ProgramEnd> {
  const child = spawn(process.execPath, [...builtProgram(path), ...args], { cwd, env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}
