import { readFileSync } from 'node:fs';
import { OPERATIONS } from './operations.js';

interface Operation {
  operationId: string;
  deprecated?: boolean;
  parameters?: { $ref?: string }[];
  security?: object[];
}
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const documented = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, ...operation })),
);

describe('operations', () => {
  it('should be all that the document has, without deprecated ones', () => {
    const grouped = Object.values(OPERATIONS).flatMap((group) => Object.entries(group));
    const current = documented.filter(({ deprecated }) => deprecated !== true);
    expect(new Map(grouped)).toEqual(new Map(current.map(({ operationId, route }) => [operationId, route])));
    expect(grouped.length).toBe(current.length);
  });

  it('should take idempotency keys where the client sends them: every POST and PATCH with an API key', () => {
    const takesKey = documented.filter(({ parameters = [] }) =>
      parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey'),
    );
    const expected = documented.filter(({ route, security }) => /^(POST|PATCH) /.test(route) && security === undefined);
    expect(takesKey.map(({ route }) => route)).toEqual(expected.map(({ route }) => route));
  });
});
