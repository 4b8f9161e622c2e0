import { fileURLToPath } from 'node:url';
import { compile, hostileTexts, regularExpressionsOf } from './regular-expressions.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LARGEST = 100_000;
/** Small ones first, in small steps: an exponential expression would never finish a large one, and none is tried for long. */
const SIZES = [22, 24, 25, 26, 27, 28, 29, 30, 32, 400, 4_000, 8_000, 15_000, 30_000, 55_000, LARGEST];
/** Linear expressions take a few milliseconds of CPU time for 100 kB, quadratic ones seconds. */
const BUDGET_MS = 250;

/** From here on, the time that a text takes says what a longer one of its kind would take. */
const TELLING = 4_000;

/** @returns a text for which the expression exceeds its budget, and its length */
function findSlow(literal) {
  const expression = compile(literal);
  const bySize = new Map();
  const textsOf = (size) => {
    if (!bySize.has(size)) bySize.set(size, [...hostileTexts(literal, size)]);
    return bySize.get(size);
  };
  for (const kind of textsOf(SIZES[0]).keys()) {
    for (const size of SIZES) {
      const text = textsOf(size)[kind];
      const work = () => text.replace(expression, '');
      const startedAt = performance.now();
      work();
      const tookMs = performance.now() - startedAt;
      // On a busy machine, time is more than CPU time.
      if (tookMs > BUDGET_MS && takes(work) > BUDGET_MS) return { size, text: text.slice(0, 60) };
      if (size >= TELLING && tookMs * (LARGEST / size) ** 2 < BUDGET_MS / 2) break;
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
