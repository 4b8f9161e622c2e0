import { join } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

// node tools/schematics/check-files.mjs FILE...: what the compiler and the linter say about files of the project in the current folder,
// as JSON. Both look at one program, which takes longer to make than all else here. Faults of other files are looked for elsewhere.
const root = process.cwd();
const paths = process.argv.slice(2).map((path) => join(root, path));
const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, ts.sys);
const files = paths.filter((path) => path.endsWith('.ts'));
const declarations = config.fileNames.filter((name) => name.endsWith('.d.ts'));
const program = ts.createProgram([...files, ...declarations], { ...config.options, noEmit: true, incremental: false });

const types = files
  .map((path) => program.getSourceFile(path))
  .flatMap((source) => [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)])
  .map(({ file, messageText }) => `${file.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);

const parserOptions = { programs: [program], projectService: false };
const eslint = new ESLint({ cwd: root, overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions } } });
const style = (await eslint.lintFiles(paths)).flatMap(({ filePath, messages }) =>
  messages.map(({ line, ruleId, message }) => `${filePath}:${line} ${ruleId}: ${message}`),
);
process.stdout.write(JSON.stringify({ types, style }));
