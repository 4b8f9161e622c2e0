import request, { type Test } from 'supertest';

export interface SessionIdentity {
  readonly apiKey: string;
  readonly organizationId: string;
  readonly environmentId: string;
}

/** A caller with an API key of an environment of its own. */
export class TestSession implements SessionIdentity {
  readonly apiKey: string;
  readonly organizationId: string;
  readonly environmentId: string;

  constructor(
    readonly baseUrl: string,
    identity: SessionIdentity,
  ) {
    this.apiKey = identity.apiKey;
    this.organizationId = identity.organizationId;
    this.environmentId = identity.environmentId;
  }

  get(path: string): Test {
    return this.authorized(request(this.baseUrl).get(path));
  }

  post(path: string, body?: object): Test {
    return this.authorized(request(this.baseUrl).post(path)).send(body);
  }

  put(path: string, body?: object): Test {
    return this.authorized(request(this.baseUrl).put(path)).send(body);
  }

  patch(path: string, body?: object): Test {
    return this.authorized(request(this.baseUrl).patch(path)).send(body);
  }

  delete(path: string, body?: object): Test {
    return this.authorized(request(this.baseUrl).delete(path)).send(body);
  }

  private authorized(test: Test): Test {
    return test.set('Authorization', `ApiKey ${this.apiKey}`);
  }
}
