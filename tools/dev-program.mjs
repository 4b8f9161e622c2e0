import 'reflect-metadata';
import inspector from 'node:inspector';
import { pathToFileURL } from 'node:url';

// A child of tools/dev.mjs: loads packages when it is told their names, and Herald when it is told its file.
process.on('message', ({ packages = [], program, isDebugged }) => {
  for (const name of packages) void import(name).catch(() => undefined);
  if (program === undefined) return;
  if (isDebugged) inspector.open(undefined, undefined, false);
  // Its arguments say what Node was started with.
  process.argv[1] = program;
  void import(pathToFileURL(program).href);
});
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
