import { AppConfig } from '#libs/config';
import { keysProgram } from '../../apps/admin/src/keys/keys-program.js';
import type { ProgramEnd } from './program.js';

/** What `apps/admin/src/keys.js` runs, in this process: one of its own takes two seconds to load. */
export async function runKeys(line: string, env: Record<string, string>): Promise<ProgramEnd> {
  let [out, err] = ['', ''];
  const code = await keysProgram(line.split(' '), () => AppConfig.from(env), {
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
}
