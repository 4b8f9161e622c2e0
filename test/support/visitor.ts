/** Of the Heralds of these tests: a name that leads nowhere, so that whatever is reached is reached by the test alone. */
export const PUBLIC_URL = 'https://herald.example/base';
export const CALLBACK = `${PUBLIC_URL}/sign-in/oidc/callback`;
export const BEGIN = `${PUBLIC_URL}/sign-in/oidc`;

export interface Visit {
  readonly url: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** A browser: it keeps cookies by host, and follows no redirect unless it is told to. */
export class Visitor {
  readonly jar = new Map<string, Map<string, string>>();

  /** @param heraldUrl what stands behind the proxy at PUBLIC_URL */
  constructor(private readonly heraldUrl: string) {}

  async go(url: string, init: RequestInit = {}): Promise<Visit> {
    const { host } = new URL(url);
    const own = this.jar.get(host) ?? new Map<string, string>();
    this.jar.set(host, own);
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url.replace(PUBLIC_URL, this.heraldUrl), {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string> | undefined) },
    });
    const cookies = response.headers.getSetCookie();
    for (const text of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (value === '') own.delete(name);
      else own.set(name, value);
    }
    const location = response.headers.get('location') ?? undefined;
    const leadsTo = location === undefined ? undefined : new URL(location, url).href;
    return { url, status: response.status, location: leadsTo, cookies, text: await response.text() };
  }

  /** From the button of the console to the address with which the provider sends the browser back. */
  async toCallback(who: string | { readonly refuse: true }): Promise<string> {
    let visit = await this.go(BEGIN);
    for (let steps = 0; steps < 10; steps++) {
      if (visit.location?.startsWith(PUBLIC_URL) === true) return visit.location;
      visit = visit.location === undefined ? await this.answerForm(visit, who) : await this.go(visit.location);
    }
    throw new Error(`The provider does not lead back: ${visit.status} ${visit.url} ${visit.text}`);
  }

  /** @returns where the browser ends: in the console */
  async signIn(who: string | { readonly refuse: true }): Promise<string> {
    return this.land(await this.toCallback(who));
  }

  async land(callback: string): Promise<string> {
    const { location = '', status } = await this.go(callback);
    if (status !== 302) throw new Error(`The callback was answered with ${status}.`);
    return location.replace(PUBLIC_URL, '');
  }

  get sessionCookie(): string | undefined {
    const token = this.jar.get(new URL(PUBLIC_URL).host)?.get('herald_session');
    return token && `herald_session=${token}`;
  }

  private answerForm({ url }: Visit, who: string | { readonly refuse: true }): Promise<Visit> {
    const body = new URLSearchParams(typeof who === 'string' ? [['login', who]] : [['refuse', '1']]);
    return this.go(url, { method: 'POST', body });
  }
}
