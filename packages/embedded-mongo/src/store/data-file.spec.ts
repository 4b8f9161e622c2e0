import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATA_FILE, prepareDataFile } from './data-file.js';
import { Engine } from './engine.js';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'data-file-'));
  file = join(directory, DATA_FILE);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('the data file of a store', () => {
  it('should have content as soon as it has its name', async () => {
    await prepareDataFile(directory);
    expect(readdirSync(directory)).toEqual([DATA_FILE]);
    expect(statSync(file).size).toBeGreaterThan(0);
    const engine = new Engine(directory, false);
    await engine.write(() => engine.put(Buffer.from('key'), Buffer.from('value')));
    await engine.close();
    const bytes = readFileSync(file);
    await prepareDataFile(directory);
    expect(readFileSync(file)).toEqual(bytes);
  });

  it.each([
    ['before the draft had a file', []],
    ['while the draft was written', [DATA_FILE, 'lock.mdb']],
  ])('should be created by the next start if the first one ended %s', async (_when, left) => {
    mkdirSync(join(directory, 'beginning'));
    for (const name of left) writeFileSync(join(directory, 'beginning', name), '');
    await prepareDataFile(directory);
    expect(readdirSync(directory)).toEqual([DATA_FILE]);
    const engine = new Engine(directory, false);
    await engine.close();
  });

  it('should not be replaced if it has lost its content', async () => {
    writeFileSync(file, '');
    await expect(prepareDataFile(directory)).rejects.toThrow(`${file} is empty: restore a backup`);
    expect(existsSync(join(directory, 'beginning'))).toBe(false);
    expect(statSync(file).size).toBe(0);
  });
});
