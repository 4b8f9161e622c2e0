import { MIGRATIONS } from './migrations.js';

describe('MIGRATIONS', () => {
  it('should have versions without gaps', () => {
    expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_migration, at) => at + 1));
  });
});
