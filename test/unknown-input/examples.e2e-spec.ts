import { warningIn } from '../support/answers.js';
import { readDocument } from '../support/routes.js';
import { useHerald } from '../support/herald.js';
import { triedRequests } from '../support/try-it-out.js';

const document = readDocument();

describe('examples of the OpenAPI document', () => {
  const api = useHerald();

  it('should name nothing that their request does not take', async () => {
    const session = await api.session();
    const warned: string[] = [];
    const requests = triedRequests(document);
    for (const { name, method, url, body } of requests) {
      const warning = warningIn(await session[method](url, body as object | undefined));
      // The two paths that create a workflow have the same examples.
      if (warning !== undefined && !warning.startsWith('another workflow has')) warned.push(`${name}: ${warning}`);
    }
    expect(requests.length).toBeGreaterThan(110);
    expect(warned).toEqual([]);
  });
});
