import request from 'supertest';
import type { TestApi } from '../create-test-app.js';
import type { TestSession } from '../test-session.js';

type Json = Record<string, unknown>;

/** What the shared suite has to know about a resource. A part that a resource does not have is left out. */
export interface ResourceBehaviour {
  readonly api: () => TestApi;
  /** Path of the collection, such as `/v1/feeds`. */
  readonly path: string;
  /** Makes one record and returns it as the API answers it. */
  readonly create: (session: TestSession) => Promise<Json>;
  /** Path of one record, for routes that read it. */
  readonly itemPath?: (record: Json) => string;
  readonly list?: { readonly shape: 'array' | 'page'; readonly path?: string };
  readonly remove?: { readonly path: (record: Json) => string; readonly status: number };
  /** Writes to one record; a foreign caller gets 404 from each. */
  readonly writes?: readonly {
    readonly method: 'put' | 'patch' | 'post' | 'delete';
    readonly path: (record: Json) => string;
    readonly body?: object;
  }[];
  /** Path of a record that does not exist. */
  readonly unknownPath?: string;
}

/**
 * What every resource has in common: envelope, keys, isolation of environments, unknown records, pages, soft delete.
 */
export function itBehavesLikeAResource(resource: ResourceBehaviour): void {
  const { create, itemPath, list, remove, unknownPath } = resource;
  const newSession = (): Promise<TestSession> => resource.api().session();

  describe('as every resource', () => {
    it('should wrap the created record in data, with the fields that all records have', async () => {
      const session = await newSession();
      const record = await create(session);
      expect(record).toMatchObject({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
        _environmentId: session.environmentId,
        _organizationId: session.organizationId,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        __v: expect.any(Number) as number,
      });
      expect(record['id']).toBe(record['_id']);
      expect(Object.values(record)).not.toContain(null);
    });

    it('should turn away a caller without a key', async () => {
      const path = list?.path ?? resource.path;
      const caller = request(resource.api().url);
      const { body } = await (list ? caller.get(path) : caller.post(path).send({})).expect(401);
      expect(body).toMatchObject({ statusCode: 401, code: 'unauthorized', path });
    });

    if (unknownPath !== undefined) {
      it('should answer 404 for a record that does not exist', async () => {
        const session = await newSession();
        const { body } = await session.get(unknownPath).expect(404);
        expect(body).toMatchObject({ statusCode: 404, error: 'Not Found' });
      });
    }
    if (itemPath) describeItem(resource, itemPath, newSession);
    if (list) describeList(resource, list, newSession);
    if (remove) describeRemove(resource, remove, newSession);
    if (resource.writes) describeForeignWrites(resource, resource.writes);
  });
}

type NewSession = () => Promise<TestSession>;

function describeItem(
  { api, create }: ResourceBehaviour,
  itemPath: (record: Json) => string,
  newSession: NewSession,
): void {
  it('should give back what was created', async () => {
    const session = await newSession();
    const record = await create(session);
    const { body } = await session.get(itemPath(record)).expect(200);
    expect((body as { data: Json }).data).toEqual(record);
  });

  it('should hide it from another environment of the same organization', async () => {
    const [session, sibling] = await api().siblings();
    const record = await create(session);
    await sibling.get(itemPath(record)).expect(404);
  });

  it('should hide it from another organization', async () => {
    const record = await create(await newSession());
    await (await newSession()).get(itemPath(record)).expect(404);
  });
}

function describeList(
  resource: ResourceBehaviour,
  list: NonNullable<ResourceBehaviour['list']>,
  newSession: NewSession,
): void {
  const path = list.path ?? resource.path;
  const idsOf = (body: unknown): unknown[] => (body as { data: Json[] }).data.map((row) => row['_id']);

  it('should list it to its own environment and to no other', async () => {
    const [session, sibling] = await resource.api().siblings();
    const record = await resource.create(session);
    expect(idsOf((await session.get(path).expect(200)).body)).toContain(record['_id']);
    expect(idsOf((await sibling.get(path).expect(200)).body)).not.toContain(record['_id']);
  });

  if (list.shape === 'array') return;
  it('should page without claiming a further page after a full last one', async () => {
    const session = await newSession();
    const made = [await resource.create(session), await resource.create(session)];
    const first = (await session.get(`${path}?limit=1`).expect(200)).body as Json;
    const second = (await session.get(`${path}?limit=1&page=1`).expect(200)).body as Json;
    expect(first).toMatchObject({ page: 0, pageSize: 1, hasMore: true });
    expect(second).toMatchObject({ page: 1, pageSize: 1, hasMore: false });
    expect([...idsOf(first), ...idsOf(second)].sort()).toEqual(made.map((row) => row['_id']).sort());
  });

  it.each(['page=-1', 'page=x', 'page=0.5', 'limit=0', 'limit=101', 'limit=x'])('should refuse ?%s', async (query) => {
    const session = await newSession();
    const { body } = await session.get(`${path}?${query}`).expect(400);
    expect((body as { message: string[] }).message[0]).toMatch(/^(page|limit) must/);
  });
}

function describeRemove(
  resource: ResourceBehaviour,
  remove: NonNullable<ResourceBehaviour['remove']>,
  newSession: NewSession,
): void {
  it('should be gone for every read once it is deleted', async () => {
    const session = await newSession();
    const record = await resource.create(session);
    await session.delete(remove.path(record)).expect(remove.status);
    if (resource.itemPath) await session.get(resource.itemPath(record)).expect(404);
    if (resource.list) {
      const { body } = await session.get(resource.list.path ?? resource.path).expect(200);
      expect((body as { data: Json[] }).data.map((row) => row['_id'])).not.toContain(record['_id']);
    }
    await session.delete(remove.path(record)).expect(404);
  });

  it('should not be deleted by another environment', async () => {
    const [session, sibling] = await resource.api().siblings();
    const record = await resource.create(session);
    await sibling.delete(remove.path(record)).expect(404);
    await session.delete(remove.path(record)).expect(remove.status);
  });
}

function describeForeignWrites(resource: ResourceBehaviour, writes: NonNullable<ResourceBehaviour['writes']>): void {
  it.each(writes)('should refuse $method of another environment with 404', async ({ method, path, body }) => {
    const [session, sibling] = await resource.api().siblings();
    const record = await resource.create(session);
    await sibling[method](path(record), body).expect(404);
  });
}
