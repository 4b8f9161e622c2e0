import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { before as swaggerPlugin } from '@nestjs/swagger/plugin';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Does what `nest build` does, without the Nest CLI, which only development installs: compiles the sources with the plugin that derives
 * the OpenAPI document from types and comments. The CLI reads the same `nest-cli.json`.
 */
export class CompiledSources {
  #plugins;
  #options;
  #fileNames;
  #host;
  #program;
  #faults;
  #files = new Map();

  constructor() {
    const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'nest-cli.json'), 'utf8'));
    this.#plugins = compilerOptions.plugins;
    const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
      join(ROOT, compilerOptions.tsConfigPath),
      undefined,
      { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (fault) => fail([fault]) },
    );
    this.#options = options;
    this.#faults = errors;
    this.#fileNames = new Set(fileNames);
    this.#host = ts.createCompilerHost(options);
    const read = this.#host.getSourceFile.bind(this.#host);
    this.#host.getSourceFile = (name, ...rest) => {
      if (!this.#files.has(name)) this.#files.set(name, read(name, ...rest));
      return this.#files.get(name);
    };
    this.#update();
  }

  compileAll() {
    fail([...this.#faults, ...ts.getPreEmitDiagnostics(this.#program), ...this.#emit()]);
  }

  /** Compiles files that were written or removed. @throws {Error} with the faults of their syntax */
  compile(paths) {
    const names = paths.map((path) => path.replaceAll('\\', '/'));
    for (const name of names) {
      this.#files.delete(name);
      if (ts.sys.fileExists(name)) this.#fileNames.add(name);
      else this.#fileNames.delete(name);
    }
    this.#update();
    const sources = names.flatMap((name) => this.#program.getSourceFile(name) ?? []);
    const faults = sources.flatMap((source) => [...this.#program.getSyntacticDiagnostics(source)]);
    if (faults.length > 0) throw new Error(textOf(faults));
    for (const source of sources) this.#emit(source);
  }

  #update() {
    const rootNames = [...this.#fileNames];
    this.#program = ts.createProgram({
      rootNames,
      options: this.#options,
      host: this.#host,
      oldProgram: this.#program,
    });
  }

  #emit(source) {
    const before = this.#plugins.map((plugin) => swaggerPlugin(plugin.options, this.#program));
    return this.#program.emit(source, undefined, undefined, undefined, { before }).diagnostics;
  }
}

function textOf(faults) {
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => ROOT, getNewLine: () => '\n' };
  return ts.formatDiagnosticsWithColorAndContext(faults, host);
}

function fail(faults) {
  if (faults.length === 0) return;
  process.stderr.write(textOf(faults));
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(ROOT);
  new CompiledSources().compileAll();
}
