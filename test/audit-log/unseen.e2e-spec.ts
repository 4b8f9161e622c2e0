import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { type Audit, RouteAccess } from '#libs/http-kit';
import { type TestSession, workerStore } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { fill, operationsOf, readDocument } from '../support/routes.js';
import { joined, type SignedInBrowser } from '../support/signed-in-browser.js';
import { commandsOf } from '../support/store-commands.js';
import { startTestApi, useApi } from '../support/test-api.js';

/** Each is given to all parameters of the API at once. `MA` is the cursor of the first page of an export. */
const VALUES = ['true', 'TRUE', '1', 'MA', 'twice'] as const;
/** Headers that clients send, and some that other systems honour. */
const HEADERS = {
  'Herald-Promoted-From': 'Development',
  'X-HTTP-Method-Override': 'GET',
  Prefer: 'respond-async',
  'X-Dry-Run': 'true',
};
interface AuditedRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly audit: Audit;
  /** Refuses parameters that it does not know. */
  readonly isStrict: boolean;
}

describe('a request to a route that the audit log covers', () => {
  const api = useApi(() => startTestApi({ DELIVERY_WORKER: 'off' }, { ...workerStore(), monitorCommands: true }));
  const operations = operationsOf(readDocument());
  const parameters = [
    ...new Set(
      operations.flatMap(({ operation }) =>
        (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name),
      ),
    ),
  ];
  let session: TestSession;
  let routes: AuditedRoute[];

  beforeAll(async () => {
    session = await api.session();
    const reflector = api.app.get(Reflector);
    const access = api.app.get(RouteAccess, { strict: false });
    const scanner = new MetadataScanner();
    const controllers = [...api.app.get(ModulesContainer).values()].flatMap((module) => [
      ...module.controllers.values(),
    ]);
    routes = controllers.flatMap(({ metatype }) => {
      const controller = metatype as Type<object>;
      const methods = controller.prototype as Record<string, () => unknown>;
      return scanner.getAllMethodNames(methods).flatMap((name) => {
        const handler = methods[name];
        if (handler === undefined || !Reflect.hasMetadata(METHOD_METADATA, handler)) return [];
        const { audit, caller, isStrict } = access.of(new ExecutionContextHost([], controller, handler));
        if (audit === undefined || 'reason' in audit || caller !== 'api-key') return [];
        const found = operations.find(({ operation }) => operation.operationId === name);
        const method = RequestMethod[reflector.get<RequestMethod>(METHOD_METADATA, handler)];
        const own = [reflector.get<string>(PATH_METADATA, handler)].flat()[0] ?? '';
        const path = found?.path ?? `/v1/${[reflector.get<string>(PATH_METADATA, controller)].flat().join('')}/${own}`;
        return [{ name, method, path, audit, isStrict }];
      });
    });
  });

  const queryOf = (value: string, skipped: string): string =>
    parameters
      .filter((name) => name !== skipped)
      .flatMap((name) => (value === 'twice' ? [`${name}=true`, `${name}=true`] : [`${name}=${value}`]))
      .join('&');
  const send = (by: SignedInBrowser, { method, path }: AuditedRoute, query: string) =>
    by[method.toLowerCase() as 'post'](`${fill(path)}?${query}`).set(HEADERS);
  /** How many entries are begun. */
  const entriesOf = async (act: () => PromiseLike<unknown>): Promise<number> =>
    (await commandsOf(api, act)).filter((command) => command === 'insert auditEntries').length;

  it('should leave an entry, whatever it has in its query and headers', async () => {
    expect(routes.length).toBeGreaterThan(100);
    expect(parameters).toEqual(expect.arrayContaining(['dryRun', 'cursor', 'limit', 'wait']));
    let owner = await joined(session, 'owner');
    const unseen: string[] = [];
    for (const route of routes) {
      const skipped = route.audit.byFiles === true ? 'dryRun' : '';
      for (const value of VALUES) {
        let status = 0;
        const begin = (): Promise<number> =>
          entriesOf(async () => {
            ({ status } = await send(owner, route, route.isStrict ? '' : queryOf(value, skipped)));
          });
        let begun = await begin();
        if (status === 401) {
          // An earlier request has signed out.
          owner = await joined(session, 'owner');
          begun = await begin();
        }
        if (begun !== 1) unseen.push(`${route.name} ${value}: ${begun} after ${status}`);
      }
    }
    expect(unseen).toEqual([]);
  });

  it('should leave none only where the route has dry runs and the query asks for one', async () => {
    const documented = operations
      .filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'dryRun') === true)
      .map(({ operation }) => operation.operationId);
    const byFiles = routes.filter(({ audit }) => audit.byFiles === true);
    expect(byFiles.map(({ name }) => name).sort()).toEqual(documented.sort());
    const owner = await joined(session, 'owner');
    for (const route of byFiles) {
      expect(await entriesOf(() => send(owner, route, 'dryRun=true'))).toBe(0);
      for (const query of ['dryRun=TRUE', 'dryRun=1', 'dryRun=', 'dryRun=true&dryRun=true', 'dryRun[]=true']) {
        expect([route.name, query, await entriesOf(() => send(owner, route, query))]).toEqual([route.name, query, 1]);
      }
    }
  });

  it('should leave its entry also where its query says that nothing is to be stored', async () => {
    const key = await dataOf(
      session.post('/v1/environments/api-keys?dryRun=true', { name: 'unseen', scopes: ['read'] }),
      201,
    );
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    for (const path of [
      'subscribers/ada/export?cursor=MA',
      'audit-log/export?cursor=x',
      'suppressions/export?limit=5',
    ]) {
      await session.get(`/v1/${path}`).expect(200);
    }
    const { entries } = await dataOf<{ entries: { action: string; resource: object }[] }>(
      session.get('/v1/audit-log?limit=4'),
      200,
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'exportSuppressions',
      'exportAuditLog',
      'exportSubscriber',
      'issueApiKey',
    ]);
    expect(entries[3]?.resource).toMatchObject({ id: key['_id'] });
  });
});
