import { readBulkEntries } from './bulk-entries.js';

describe('readBulkEntries', () => {
  it('should serve others while hundreds of entries are wrong', async () => {
    const wrong = { email: 'x', phone: 'y', locale: 'zzz', timezone: 'q', avatar: 'n' };
    const entries = Array.from({ length: 500 }, (_, place) => ({ subscriberId: `s${place}`, ...wrong }));
    await readBulkEntries(entries.slice(0, 50));
    let served = 0;
    let isRead = false;
    const serve = (): void => {
      served += 1;
      if (!isRead) setImmediate(serve);
    };
    setImmediate(serve);
    const read = await readBulkEntries(entries);
    isRead = true;
    expect(read.filter((one) => 'failure' in one)).toHaveLength(500);
    expect(served).toBeGreaterThan(1);
  });
});
