import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { blocksOf, manualPages } from '../support/manual-page.js';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: ['node'],
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  useDefineForClassFields: false,
  strictPropertyInitialization: false,
  paths: { 'herald/plugin': [join(process.cwd(), 'src/bootstrap/plugin-api/index.ts')] },
};

describe('TypeScript of docs/manual', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'herald-types-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('should compile in strict mode', () => {
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const files = manualPages().flatMap((page) =>
      blocksOf(page)
        .filter(({ language }) => language === 'ts')
        .map(({ name, line, code }) => {
          const file = join(folder, name ?? `${page}-${line}.ts`);
          writeFileSync(file, code);
          return file;
        }),
    );
    expect(files.length).toBeGreaterThan(10);
    const program = ts.createProgram(files, { ...OPTIONS, typeRoots: [join(folder, 'node_modules', '@types')] });
    // `npm run check:static -- types` judges Herald's own code.
    const own = [
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...files
        .map((name) => program.getSourceFile(name))
        .flatMap((source) => [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]),
    ];
    const faults = own.map(({ file, messageText }) => {
      return `${file?.fileName.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
    expect(faults).toEqual([]);
  });
});
