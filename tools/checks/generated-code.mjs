import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { ROOT } from '../build.mjs';
import { generatedCopy } from '../schematics/generated-copy.mjs';
import { ownEnvironment, runGenerators } from '../schematics/run-generators.mjs';

// What `npm run generate` writes must have correct types and pass the linter. What it does is tested beside the
// generators.
const run = promisify(execFile);

const faults = [...(await faultsInHerald()), ...(await faultsInPlugin())];
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log('What the generators write passes the compiler and the linter.');

/** A resource, and a provider for each channel. */
async function faultsInHerald() {
  const { folder, written } = await generatedCopy();
  try {
    const args = ['tools/schematics/check-files.mjs', ...written.filter((path) => /\.(ts|mjs)$/.test(path))];
    const { stdout } = await run(process.execPath, args, { cwd: folder, env: ownEnvironment(), maxBuffer: 1e8 });
    const { types, style } = JSON.parse(stdout);
    return [...types, ...style];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The kind of plugin that is written in TypeScript. */
async function faultsInPlugin() {
  const home = mkdtempSync(join(tmpdir(), 'herald-plugin-'));
  const folder = join(home, 'resource');
  try {
    const line = ['plugin', 'push-note', '--folder', folder, '--kind', 'resource'];
    const [{ code, err }] = await runGenerators(ROOT, [line], ownEnvironment());
    if (code !== 0) return err;
    // As npm install would.
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(join(folder, 'tsconfig.json'), {}, ts.sys);
    if (fileNames.length !== 5) return [`${fileNames.length} files of ${folder} would be checked, not 5.`];
    const paths = { 'herald/plugin': [join(ROOT, 'src/bootstrap/plugin-api/index.ts')] };
    const program = ts.createProgram(fileNames, { ...options, rootDir: undefined, paths, noEmit: true });
    return fileNames
      .flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)))
      .map(({ file, messageText }) => `${file.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
