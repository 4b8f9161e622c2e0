import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/common';
import { networkOf } from '#libs/http-kit';
import { SecretBox } from '#libs/secrets';
import { OidcClient, type OidcFlow } from './oidc-client.js';
import { OidcFault } from './oidc-faults.js';
import { OidcPeople } from './oidc-people.js';
import { SignInLimits } from './sign-in-limits.js';
import { SignInsService } from './sign-ins.service.js';
import { type OpenedSession, type Origin } from './user-sessions.service.js';

/** How long somebody may take at the provider. */
export const FLOW_SECONDS = 600;
const PLACE = { collection: 'cookies', id: '', environmentId: '', field: 'oidc' };

interface StoredFlow extends OidcFlow {
  readonly expiresAt: number;
  /** Token of the session that the browser had, which it does not send when it comes from another site. */
  readonly former?: string;
}

export interface Returned {
  readonly opened: OpenedSession;
  readonly former: string | undefined;
}

@Injectable()
export class OidcSignIns {
  constructor(
    private readonly client: OidcClient,
    private readonly people: OidcPeople,
    private readonly signIns: SignInsService,
    private readonly limits: SignInLimits,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** @returns where to send the browser, and what it has to bring back @throws {OidcFault} */
  async begin(former: string | undefined): Promise<{ readonly url: string; readonly sealed: string }> {
    if (this.client.redirectUri === undefined) throw new OidcFault('off');
    const { url, flow } = await this.client.begin();
    const expiresAt = this.clock.now().getTime() + FLOW_SECONDS * 1_000;
    const stored: StoredFlow = { ...flow, expiresAt, ...(former !== undefined && { former }) };
    return { url, sealed: this.secrets.seal(JSON.stringify(stored), PLACE) };
  }

  /** @param sealed what the browser was given @param query what the provider sent it back with @throws {OidcFault} */
  async finish(sealed: string | undefined, query: string, from: Origin): Promise<Returned> {
    if (this.client.redirectUri === undefined) throw new OidcFault('off');
    const flow = await this.takeFlow(sealed, query);
    const attempt = { network: networkOf(from.ip), isKnownNetwork: false };
    if (!(await this.limits.admits(attempt))) throw new OidcFault('too_many');
    const user = await this.people.admit(await this.client.finish(query, flow));
    const opened = await this.signIns.tryOpen(user, 'oidc', from);
    if (opened === undefined) throw new OidcFault('changed');
    await this.limits.forgive(attempt);
    return { opened, former: flow.former };
  }

  /** Once: whoever sees the address that the provider leads to, and has the cookie, too, cannot use them again. */
  private async takeFlow(sealed: string | undefined, query: string): Promise<StoredFlow> {
    const text = sealed === undefined ? undefined : this.secrets.tryOpen(sealed, PLACE);
    const flow = text === undefined ? undefined : (JSON.parse(text) as StoredFlow);
    if (flow === undefined) throw new OidcFault('expired', 'The browser has no sign-in that it began.');
    if (flow.expiresAt <= this.clock.now().getTime()) throw new OidcFault('expired', 'It took too long.');
    if (new URLSearchParams(query).get('state') !== flow.state)
      throw new OidcFault('expired', 'It is not the sign-in that the browser began last.');
    if (!(await this.limits.takeOnce(flow.state, new Date(flow.expiresAt))))
      throw new OidcFault('expired', 'It was finished before.');
    return flow;
  }
}
