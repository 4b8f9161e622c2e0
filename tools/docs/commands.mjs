/** What the npm scripts of a clone do, as package.json cannot say it. A test compares the names with package.json. */
export const NPM_COMMANDS = [
  ['npm start', 'installs and builds what is missing, and starts Herald'],
  ['npm run start:dev', 'runs Herald, and starts it again within seconds of each change'],
  ['npm run start:debug', 'the same, for a debugger'],
  ['npm run herald', 'runs a command of Herald: `-- keys list`, `-- backup --to FOLDER`'],
  ['npm run demo', 'runs an API tour; `-- --json` prints JSON lines'],
  ['npm run build', 'builds Herald, the client and the inbox'],
  ['npm run build:pages', 'builds `/docs`, and `/inbox-demo` with the published bell and Inbox'],
  ['npm test', 'all tests except those of the browser and the package, on a store of their own'],
  ['npm run test:watch', 'runs tests again when files change'],
  ['npm run test:cov', 'all tests, with their coverage'],
  ['npm run test:e2e', 'the tests that need a store'],
  ['npm run test:browser', '`/docs`, the console, Swagger UI and the inbox demo, in Chromium'],
  ['npm run test:react-native', 'the hooks of `@herald/inbox/react-native`, in React Native without a phone'],
  ['npm run test:package', 'tests the package that `npm pack` makes, and the built documentation'],
  ['npm run test:image', 'builds and tests the container image with docker or podman'],
  ['npm run test:providers', "compares requests with those of the libraries of providers' makers"],
  ['npm run test:python', 'builds and tests the client for Python'],
  ['npm run test:faults', 'disturbs a whole installation, and counts what was lost'],
  [
    'npm run simulate',
    'plays Herald under faults that a seed chooses and repeats; `-- --seed N` prints the story of one run',
  ],
  ['npm run bench', 'benchmarks Herald and two other programs'],
  ['npm run lint', 'runs ESLint'],
  ['npm run format', 'formats all files with Prettier'],
  ['npm run check', 'all checks, `npm test` and the tests of the package'],
  [
    'npm run check:static',
    'format, lint, types, architecture, OpenAPI and docs; `-- NAME` runs one check, `-- --list` names them',
  ],
  ['npm run docs', 'writes what is generated: `openapi.json`, schemas, tables of the documentation'],
  ['npm run generate', 'generates code: `-- resource`, `channel`, `plugin` or `plugin-types`'],
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
