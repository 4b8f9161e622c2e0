import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { before as swaggerPlugin } from '@nestjs/swagger/plugin';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

// Does what `nest build` does, without the Nest CLI, which only development installs: compiles the sources with the plugin that derives
// the OpenAPI document from types and comments. The CLI reads the same `nest-cli.json`.
process.chdir(ROOT);
const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'nest-cli.json'), 'utf8'));
const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(compilerOptions.tsConfigPath, undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (fault) => report([fault]),
});
const program = ts.createProgram({ rootNames: fileNames, options });
const transformers = { before: compilerOptions.plugins.map((plugin) => swaggerPlugin(plugin.options, program)) };
const { diagnostics } = program.emit(undefined, undefined, undefined, undefined, transformers);
report([...errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics]);

function report(faults) {
  if (faults.length === 0) return;
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => ROOT, getNewLine: () => '\n' };
  process.stderr.write(ts.formatDiagnosticsWithColorAndContext(faults, host));
  process.exit(1);
}
