import { LIB_IMPORTS, MODULE_ORDER, TEST_ONLY_LIBS } from './module-order.mjs';

/** How deep modules nest their folders. */
const DEPTHS = [0, 1, 2, 3];
const DEEP_LIB = { regex: '^#libs/[^/]+/', message: 'A library is used through its facade only.' };
const TESTS = ['**/*.spec.ts', '**/test/**', 'libs/testing/**'];

/** ESLint blocks that hold each room to docs/architecture.md while one types; `check:layers` judges the whole. */
export function restrictedImports() {
  return [...MODULE_ORDER.flatMap(moduleBlocks), ...Object.keys(LIB_IMPORTS).map(libBlock)];
}

function moduleBlocks(name, index) {
  const others = MODULE_ORDER.filter((other) => other !== name).join('|');
  const above = MODULE_ORDER.slice(index + 1).join('|');
  return DEPTHS.map((depth) => {
    const up = `^${'\\.\\./'.repeat(depth + 1)}`;
    const patterns = [
      DEEP_LIB,
      testOnly(),
      { regex: `${up}(${others})/(?!index\\.js$)`, message: 'Another module is used through its index.ts only.' },
      { regex: `${up}[^/]+$`, message: 'Modules never import the files that put the application together.' },
    ];
    if (above !== '')
      patterns.push({ regex: `${up}(${above})/`, message: `This stands above ${name} (docs/adr/0007).` });
    return block(`src/${name}/${'*/'.repeat(depth)}*.ts`, patterns);
  });
}

function libBlock(name) {
  const allowed = LIB_IMPORTS[name];
  const regex = allowed.length > 0 ? `^#libs/(?!(${allowed.join('|')})$)` : '^#libs/';
  return block(`libs/${name}/**/*.ts`, [
    { regex, message: `libs/${name} may use: ${allowed.join(', ') || 'no other library'}.` },
  ]);
}

function testOnly() {
  return { regex: `^#libs/(${TEST_ONLY_LIBS.join('|')})$`, message: 'This library is for tests only.' };
}

function block(files, patterns) {
  return { files: [files], ignores: TESTS, rules: { 'no-restricted-imports': ['error', { patterns }] } };
}
