/** What the npm scripts of a clone do, as package.json cannot say it. A test compares the names with package.json. */
export const NPM_COMMANDS = [
  ['npm start', 'installs and builds what is missing, and starts Herald'],
  ['npm test', 'all tests except those of the browser and the package, on a store of their own'],
  ['npm run check', 'format, lint, types, architecture, OpenAPI, docs and tests'],
  ['npm run test:browser', '`/docs`, the console, Swagger UI and the inbox demo, in Chromium'],
  ['npm run test:package', 'tests the package that `npm pack` makes, and the built documentation'],
  ['npm run test:image', 'builds and tests the container image with docker or podman'],
  ['npm run test:python', 'builds and tests the client for Python'],
  ['npm run docs:site', 'builds the documentation that Herald serves at `/docs`'],
  ['npm run inbox-demo', 'builds `/inbox-demo`: the published bell and Inbox'],
  ['npm run demo', 'runs an API tour; `-- --json` prints JSON lines'],
  ['npm run catch', 'receives test emails and chat messages on this machine'],
  ['npm run bench', 'benchmarks Herald and two other programs'],
  ['npm run keys', 'manages API keys: `-- list`, `issue`, `rotate` or `revoke`'],
  ['npm run worker', 'starts a delivery worker without the API'],
  ['npm run files', 'exports, imports and promotes workflows: `-- pull`, `push` or `promote`'],
  ['npm run test:workflows', 'runs the tests of workflow files: `-- --dir FOLDER`'],
  ['npm run db:indexes', 'updates the indexes of the store'],
  ['npm run db:copy', 'copies the store to MongoDB, or back'],
  ['npm run backup', 'backs up a running embedded store'],
  ['npm run restore', 'restores a backup'],
  ['npm run doctor', 'examines the installation; `-- --verify` reads the whole store'],
  ['npm run embedded-mongo', 'starts the embedded store as a separate server: `-- --port N --dbpath D`'],
  ['npm run g:resource', 'generates a resource'],
  ['npm run g:channel', 'generates a provider'],
  ['npm run g:plugin', 'generates a plugin package outside of Herald'],
  ['npm run openapi', 'regenerates `openapi.json`'],
  ['npm run docs', 'regenerates the tables of the documentation'],
];

/** @param commands as `COMMANDS` of bin/commands.mjs */
export function heraldTable(commands) {
  const rows = Object.entries(commands).map(([name, [meaning]]) => `| \`herald ${name}\` | ${meaning} |`);
  return ['| Command | What it does |', '|---|---|', ...rows].join('\n');
}

export function npmTable() {
  const rows = NPM_COMMANDS.map(([command, meaning]) => `| \`${command}\` | ${meaning} |`);
  return ['| Command | What it does |', '|---|---|', ...rows].join('\n');
}
