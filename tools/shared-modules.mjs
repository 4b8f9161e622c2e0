import { loadJoinedProgram } from './joined-program.mjs';

// Shares the packages of plugins out of the joined program: in threads, and where the tests of a plugin import `herald/plugin`. A process of
// Herald has shared them already.
if (!(Symbol.for('herald.shared-modules') in globalThis)) await loadJoinedProgram().program.shareModules();
