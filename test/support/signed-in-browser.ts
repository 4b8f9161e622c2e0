import request, { type Response, type Test } from 'supertest';
import type { TestSession } from '../harness/index.js';
import { dataOf } from './answers.js';
import { newEmail } from '../factories/ids.js';

export const PASSWORD = 'lamp river oval 47';

export interface SignedIn {
  readonly _id: string;
  readonly email: string;
  readonly name: string;
  readonly csrfToken: string;
  readonly environments: { readonly _id: string; readonly name: string; readonly role: string }[];
}

/** A browser with the cookie of a person: what the console does. */
export class SignedInBrowser {
  cookie: string | undefined;
  csrfToken: string | undefined;
  environmentId: string | undefined;

  constructor(readonly baseUrl: string) {}

  async signIn(email: string, password = PASSWORD): Promise<SignedIn> {
    return this.keep(await this.post('/v1/users/session', { email, password }).expect(201));
  }

  async accept(token: string, body: object = {}): Promise<SignedIn> {
    return this.keep(
      await this.post('/v1/users/invitations/accept', { token, password: PASSWORD, ...body }).expect(201),
    );
  }

  get = (path: string): Test => this.identified(request(this.baseUrl).get(path));
  post = (path: string, body: object = {}): Test => this.identified(request(this.baseUrl).post(path)).send(body);
  put = (path: string, body: object = {}): Test => this.identified(request(this.baseUrl).put(path)).send(body);
  patch = (path: string, body: object = {}): Test => this.identified(request(this.baseUrl).patch(path)).send(body);
  delete = (path: string): Test => this.identified(request(this.baseUrl).delete(path));

  keep(response: Response): SignedIn {
    const cookie = cookieOf(response);
    this.cookie = cookie?.split(';')[0];
    const { data } = response.body as { data: SignedIn };
    this.csrfToken = data.csrfToken;
    return data;
  }

  private identified(test: Test): Test {
    if (this.cookie !== undefined) void test.set('Cookie', this.cookie);
    if (this.csrfToken !== undefined) void test.set('X-CSRF-Token', this.csrfToken);
    if (this.environmentId !== undefined) void test.set('Herald-Environment-Id', this.environmentId);
    return test;
  }
}

/** As sent by the server. */
export function cookieOf({ headers }: Response): string | undefined {
  const all = headers['set-cookie'] as unknown as string[] | undefined;
  return all?.find((text) => text.startsWith('herald_session='));
}

export function tokenOf(url: string): string {
  return new URL(url).hash.slice(1);
}

/** Somebody new who has accepted an invitation to the environment of the key. */
export async function joined(session: TestSession, role: string): Promise<SignedInBrowser & { email: string }> {
  const email = newEmail();
  const { url } = await dataOf<{ url: string }>(session.post('/v1/users/invitations', { email, role }), 201);
  const browser = new SignedInBrowser(session.baseUrl);
  await browser.accept(tokenOf(url));
  return Object.assign(browser, { email });
}
