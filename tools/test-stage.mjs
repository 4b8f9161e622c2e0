import { setFlagsFromString } from 'node:v8';
import { keepCache, loadJoinedProgram } from './joined-program.mjs';

/** Opens a Herald for workflow tests in this process (src/bootstrap/test-stage.ts), with the compiled code that starts have kept. */
export async function openTestStage(plugins) {
  // V8 takes code only under the flags with which launch.mjs has kept it.
  setFlagsFromString('--semi-space-growth-factor=1');
  const { script, program } = loadJoinedProgram();
  setFlagsFromString('--semi-space-growth-factor=2');
  const stage = await program.openTestStage(plugins);
  return {
    ...stage,
    close: async () => {
      if (script.cachedDataRejected !== false) keepCache(script);
      await stage.close();
    },
  };
}
