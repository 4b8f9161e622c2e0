import { loadJoinedProgram } from './joined-program.mjs';

/** The list of src/plugins.ts for threads that render. */
export default await loadJoinedProgram().program.inTreePlugins();
