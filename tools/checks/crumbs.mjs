import { fileURLToPath } from 'node:url';
import { ROOT } from '../build.mjs';
import { importsOf, isTest, readProject, resolveImport } from './project.mjs';

const FEWEST_LINES = 25;
/** What a reader looks for in a file of its own, however small it is. */
const KIND =
  /\/index\.ts$|\.(module|controller|service|dto|response|schema|declaration|errors|events|listener|guard|interceptor|filter)\.ts$/;
const DECORATED = /^@(Injectable|Catch)\(/m;

/**
 * Files of a module that are so small, and used by one neighbour only, that they belong to it. What has a test of its own, or is
 * public, may be small.
 * @param files as `readProject` gives them
 * @returns {{ path: string, user: string }[]}
 */
export function crumbsOf(files) {
  const paths = new Set(files.map(({ path }) => path));
  const users = new Map();
  for (const file of files.filter(({ path }) => !isTest(path))) {
    const targets = importsOf(file).map((specifier) => resolveImport(file.path, specifier, paths));
    for (const to of new Set(targets)) users.set(to, [...(users.get(to) ?? []), file.path]);
  }
  return files
    .filter((file) => isSmall(file, paths))
    .flatMap(({ path }) => {
      const [user, other] = users.get(path) ?? [];
      return user === undefined || other !== undefined || user.endsWith('/index.ts') ? [] : [{ path, user }];
    });
}

function isSmall({ path, text }, paths) {
  if (!/^src\/[^/]+\/.+\.ts$/.test(path) || isTest(path) || KIND.test(path) || DECORATED.test(text)) return false;
  return text.split('\n').length <= FEWEST_LINES && !paths.has(path.replace(/\.ts$/, '.spec.ts'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const crumbs = crumbsOf(readProject(ROOT));
  for (const { path, user } of crumbs) console.error(`${path} is small and used by ${user} only: move it there.`);
  console.log(`crumbs: ${crumbs.length === 0 ? 'none' : crumbs.length}`);
  process.exitCode = crumbs.length === 0 ? 0 : 1;
}
