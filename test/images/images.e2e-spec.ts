import { getConnectionToken } from '@nestjs/mongoose';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import request from 'supertest';
import { createImage, PNG } from '../factories/image.factory.js';
import { itBehavesLikeAResource } from '../harness/index.js';
import { codeOf, faultsOf, type Json } from '../support/answers.js';
import { useSession, useTestApi } from '../support/test-api.js';

const PUBLIC_URL = 'https://mail.example';
const api = useTestApi({ PUBLIC_URL });
const session = useSession(api);
const pathOf = (image: Json): string => `/v1/images/${String(image['_id'])}`;
const get = (path: string): request.Test => request(api.url).get(path);
const JPEG = Buffer.from('ffd8ffe000104a464946', 'hex').toString('base64');

describe('/v1/images', () => {
  itBehavesLikeAResource({
    api: () => api,
    path: '/v1/images',
    create: (one) => createImage(one),
    itemPath: pathOf,
    list: { shape: 'page' },
    remove: { path: pathOf, status: 204 },
  });

  it('should serve a picture to everybody who knows its address, until it is deleted', async () => {
    const image = await createImage(session);
    const file = Buffer.from(PNG, 'base64');
    expect(image).toMatchObject({ name: 'logo.png', type: 'image/png', size: file.length });
    expect(image).not.toHaveProperty('data');
    const address = String(image['url']);
    expect(address).toBe(`${PUBLIC_URL}/images/${session.environmentId}/${String(image['_id'])}`);
    const path = address.slice(PUBLIC_URL.length);
    const { body, headers } = await get(path).expect(200);
    expect(Buffer.compare(body as Buffer, file)).toBe(0);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      'x-content-type-options': 'nosniff',
    });
    await session.delete(pathOf(image)).expect(204);
    await get(path).expect(404);
  });

  it.each([
    ['another environment', (id: string) => `64f0c1a2b3c4d5e6f7a8b9c0/${id}`],
    ['what is no id', (id: string) => `x/${id}`],
    ['an operator', (id: string) => `${session.environmentId}/${id}x`],
  ])('should serve nothing for %s', async (_name, place) => {
    const image = await createImage(session);
    await get(`/images/${place(String(image['_id']))}`).expect(404);
  });

  it('should tell the type by the file, not by its name', async () => {
    expect(await createImage(session, { name: 'a.png', file: JPEG })).toMatchObject({ type: 'image/jpeg' });
  });

  it.each([
    ['nothing', undefined, 'file is required and must be base64'],
    ['no base64', 'not base64!', 'file must be base64'],
    ['markup', Buffer.from('<svg onload="alert(1)"/>').toString('base64'), 'file must be a picture: PNG, JPEG or GIF'],
    [
      'a file that is too large',
      Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(500_000)]).toString('base64'),
      'file must have at most 500000 bytes',
    ],
  ])('should refuse %s', async (_name, file, fault) => {
    expect(await faultsOf(session.post('/v1/images', { name: 'x.png', file }))).toContain(fault);
  });

  it('should keep at most 500 pictures of an environment', async () => {
    const own = await api.session();
    const { _id } = await createImage(own);
    const images = api.app.get<Connection>(getConnectionToken()).collection('images');
    const row = await images.findOne({ _id: new ObjectId(String(_id)) });
    await images.insertMany(Array.from({ length: 499 }, () => ({ ...row, _id: new ObjectId() })));
    expect(await codeOf(own.post('/v1/images', { name: 'x.png', file: PNG }), 409)).toBe('too_many_images');
  });
});
