import './launch.mjs';

await (
  await import('../dist/src/main.js')
).started;
