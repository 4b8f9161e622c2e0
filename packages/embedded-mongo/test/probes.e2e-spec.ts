import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import mongoose from 'mongoose';
import { PACKAGE } from './support/paths.js';
import { fill, PROBES, tableOf, type Place } from './support/probes.js';
import { startTestServer, type TestServer } from './support/server.js';

const TABLE = /<!-- probes -->\n+([^]*?)\n+<!-- \/probes -->/;

/** A table as it is without the spaces that a formatter aligns it with. */
const cells = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .filter((line) => !/^[| :-]+$/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));

describe('what a program may ask for', () => {
  let running: TestServer;
  let place: Place;

  beforeAll(async () => {
    running = await startTestServer();
    const connection = await mongoose.createConnection(running.server.uri, { dbName: 'probes' }).asPromise();
    place = { client: running.client, db: running.client.db('probes'), connection };
  });

  beforeEach(() => fill(place));

  afterAll(async () => {
    await place.connection.close();
    await running.stop();
  });

  const working = PROBES.filter(({ refused }) => !refused);
  const refused = PROBES.filter((probe) => probe.refused);

  it.each(working.map((probe) => [probe.area, probe.name, probe] as const))(
    'should work: %s, %s',
    async (_area, _name, probe) => {
      const given = await probe.run(place);
      if (!isDeepStrictEqual(given, probe.gives)) expect(given).toEqual(probe.gives);
    },
  );

  it.each(refused.map((probe) => [probe.area, probe.name, probe] as const))(
    'should be refused with what to do instead: %s, %s',
    async (_area, _name, probe) => {
      const error = await probe.run(place).then(
        () => undefined,
        (cause: { message: string; code: number; codeName: string }) => cause,
      );
      expect(error?.message).toMatch(probe.refused as RegExp);
      expect(error).toMatchObject({ code: expect.any(Number), codeName: expect.any(String) });
    },
  );

  it.each(['README.md', '../../docs/adding-a-module.md'])('should be what %s shows', (file) => {
    const shown = TABLE.exec(readFileSync(join(PACKAGE, file), 'utf8'))?.[1];
    expect(cells(shown ?? '')).toEqual(cells(tableOf(PROBES)));
  });
});
