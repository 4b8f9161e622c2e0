import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import '../../../test/support/declared-steps.js';
import { STEP_TYPES } from '#libs/plugins';

const ROOT = join(import.meta.dirname, '../../..');

/** Channels have these names, too, and are named wherever messages are. */
const CHANNELS = ['in_app', 'email', 'sms', 'chat', 'push'];
/** Examples of the document, and what others call by the same word. */
const MOST = 5;

const filesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!spec)\.ts$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(ROOT, folder, file));

const SOURCES = ['src', 'libs'].flatMap(filesIn).map((file) => ({ file, code: codeOf(readFileSync(file, 'utf8')) }));

function codeOf(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

describe('the types of steps', () => {
  const types = STEP_TYPES.run.filter((type) => !CHANNELS.includes(type));

  it.each(types)('should be named in one folder: %s', (type) => {
    const quoted = new RegExp(`['"\`]${type}['"\`]`);
    const naming = SOURCES.filter(({ code }) => quoted.test(code)).map(({ file }) => file);
    const home = naming.find((file) => file.endsWith('.declaration.ts'));
    expect(home).toBeDefined();
    const elsewhere = naming.filter((file) => dirname(file) !== dirname(home ?? ''));
    expect([elsewhere.length <= MOST, elsewhere.map((file) => relative(ROOT, file))]).toEqual([
      true,
      expect.any(Array),
    ]);
  });

  it('should be unknown to the rooms of the engine that carry out any of them', () => {
    const rooms = ['records', 'queues', 'run', 'expansion', 'rehearsal', 'worker', 'actions'];
    const inRooms = SOURCES.filter(({ file }) => rooms.some((room) => file.includes(`/delivery/${room}/`)));
    expect(inRooms.length).toBeGreaterThan(50);
    const quoted = new RegExp(`['"\`](?:${types.join('|')})['"\`]`);
    expect(inRooms.filter(({ code }) => quoted.test(code)).map(({ file }) => relative(ROOT, file))).toEqual([]);
  });
});
