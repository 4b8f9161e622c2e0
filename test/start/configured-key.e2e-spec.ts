import { createHash } from 'node:crypto';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import request from 'supertest';
import { SetupService } from '../../src/platform/environments/index.js';
import { startTestApi } from '../support/test-api.js';

describe('the key that API_KEY names', () => {
  it('should work as soon as the store is prepared, which is before the port is taken', async () => {
    const key = 'configured-key-of-this-test';
    const api = await startTestApi({ API_KEY: key });
    const stored = api.app.get<Connection>(getConnectionToken()).collection('apiKeys');
    // By its hash: other tests of the same store have configured keys of the same name.
    const { deletedCount } = await stored.deleteOne({ hash: createHash('sha256').update(key).digest('hex') });
    expect(deletedCount).toBe(1);

    await api.app.get(SetupService).prepare();

    const answer = await request(api.url).get('/v1/feeds').set('Authorization', `ApiKey ${key}`);
    expect(answer.status).toBe(200);
    await api.close();
  });
});
