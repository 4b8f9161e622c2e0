import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../build.mjs';

const NAMED = /`([^`]+spec\.ts)`: (.+?)(?=<br>| *\|)/g;
const read = (file) => readFileSync(join(ROOT, file), 'utf8');

describe('docs/security-findings.md', () => {
  it('should name tests that there are', () => {
    const named = [...read('docs/security-findings.md').matchAll(NAMED)];
    expect(named.length).toBeGreaterThan(30);
    const missing = named.filter(([, file, title]) => !read(file).includes(title));
    expect(missing.map(([found]) => found)).toEqual([]);
  });
});
