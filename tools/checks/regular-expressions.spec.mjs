import { fileURLToPath } from 'node:url';
import { compile, hostileTexts, regularExpressionsOf } from './regular-expressions.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Small ones first, in small steps: an exponential expression would never finish a large one. */
const SIZES = [26, 29, 32, 400, 4_000, 30_000, 100_000];
/** Linear expressions take a few milliseconds of CPU time for 100 kB, quadratic ones seconds. */
const BUDGET_MS = 250;

/** @returns a text for which the expression exceeds its budget, and its length */
function findSlow(literal) {
  const expression = compile(literal);
  for (const size of SIZES) {
    for (const text of hostileTexts(literal, size)) {
      const work = () => text.replace(expression, '');
      if (takes(work) > BUDGET_MS && takes(work) > BUDGET_MS) return { size, text: text.slice(0, 60) };
    }
  }
  return undefined;
}

function takes(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('regular expressions of the program', () => {
  const { literals, made } = regularExpressionsOf(ROOT);

  it('should be found', () => {
    expect(literals.length).toBeGreaterThan(100);
  });

  it('should be literals, and built from strings only by the embedded store and for tests of workflows', () => {
    // `matches` of a test file runs on the machine of whoever wrote it, and nowhere else.
    const ofTests = ['apps/admin/src/testing/compare.ts', 'apps/admin/src/testing/test-file.ts'];
    expect([...new Set(made)]).toEqual([...ofTests, 'packages/embedded-mongo/src/bson/regex.ts']);
  });

  it.each(['/(\\b[a-z][a-z0-9+.-]*:\\/\\/)[^\\s/@:]+:[^\\s/@]+@/gi', '/^(\\d+\\.?\\d*)x$/', '/\\/+$/', '/^(a+)+$/'])(
    'should be distinguished from one that takes quadratic time: %s',
    (literal) => {
      expect(findSlow(literal)).toBeDefined();
    },
  );

  it.each(literals)('should take 100 kB of hostile text in linear time: $text of $file', ({ text }) => {
    expect(findSlow(text)).toBeUndefined();
  });
});
