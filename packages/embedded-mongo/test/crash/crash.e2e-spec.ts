import { existsSync } from 'node:fs';
import { jest } from '@jest/globals';
import { PROGRAM } from '../support/paths.js';
import { crashRounds } from './crash-rounds.js';

/** 3 rounds in the suite; `EMBEDDED_MONGO_CRASH_ROUNDS=30` for the whole exercise. */
// eslint-disable-next-line no-restricted-properties -- a test's own switch; no part of the service reads it
const ROUNDS = Number(process.env.EMBEDDED_MONGO_CRASH_ROUNDS ?? 3);

jest.setTimeout(ROUNDS * 30_000 + 240_000);

describe('kill -9 under 20 writers', () => {
  if (!existsSync(PROGRAM)) {
    it.skip('needs the compiled program; build first', () => undefined);
    return;
  }

  it('should lose nothing that was acknowledged or seen, and leave every index in agreement', async () => {
    const report = await crashRounds(ROUNDS, 400);
    expect(report).toMatchObject({ lost: [], vanished: [], disagreements: [] });
    expect(report.inserts).toBeGreaterThanOrEqual(ROUNDS * 50);
    process.stdout.write(
      `${ROUNDS} rounds: ${report.inserts} inserts and ${report.updates} updates acknowledged, none lost\n`,
    );
  });
});
