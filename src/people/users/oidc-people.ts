import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { isEmail } from 'class-validator';
import { type Model, Types } from 'mongoose';
import { AppConfig } from '#libs/config';
import { onDuplicateKey } from '#libs/persistence';
import { EnvironmentsService } from '../../platform/environments/index.js';
import { LinkGrants, membershipsOf } from './link-grants.js';
import type { OidcProfile } from './oidc-claims.js';
import { OidcFault } from './oidc-faults.js';
import { OneTimeLinks } from './one-time-links.js';
import { ROLES } from './roles.js';
import { CREDENTIAL_FIELDS, type Membership, type OidcIdentity, User } from './user.schema.js';
import { UserSessionsService } from './user-sessions.service.js';

const MAX_EMAIL = 254;
const MAX_NAME = 255;

/** Which account belongs to somebody whom the provider knows, and which roles they get. */
@Injectable()
export class OidcPeople {
  private readonly isMapped: boolean;

  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly links: OneTimeLinks,
    private readonly grants: LinkGrants,
    private readonly environments: EnvironmentsService,
    private readonly sessions: UserSessionsService,
    private readonly config: AppConfig,
  ) {
    this.isMapped = config.get('OIDC_ROLES').length > 0;
  }

  /** @throws {OidcFault} */
  async admit(profile: OidcProfile): Promise<User> {
    this.assertDomain(profile);
    const known = await this.linked(profile);
    if (this.isMapped) return this.admitMapped(profile, known);
    const user = known ?? (await this.linkByEmail(profile));
    return user === undefined ? this.join(profile) : this.withInvitations(user, profile);
  }

  /** The provider decides: what it says replaces what was so far. */
  private async admitMapped(profile: OidcProfile, known: User | undefined): Promise<User> {
    const memberships = await this.mapped(profile.values ?? []);
    if (memberships.length === 0) {
      if (known !== undefined) await this.sessions.takeAllRoles(known._id);
      throw new OidcFault('no_role');
    }
    const user = known ?? (await this.linkByEmail(profile));
    if (user === undefined) return this.create(profile, memberships);
    await this.users.updateOne({ _id: user._id }, { $set: { memberships }, $unset: { expireAt: 1 } });
    this.sessions.forget();
    return { ...user, memberships };
  }

  private async linked({ issuer, subject }: OidcIdentity): Promise<User | undefined> {
    const user = await this.users.findOne({ 'oidc.subject': subject, 'oidc.issuer': issuer }).lean().exec();
    return user ?? undefined;
  }

  /**
   * Whoever made the account may have been another person than the owner of the address, as nobody checked it: what they can sign in
   * with ends. An address that another identity of this provider has is somebody else's, such as that of a former colleague.
   */
  private async linkByEmail(profile: OidcProfile): Promise<User | undefined> {
    const { issuer, subject } = profile;
    const email = this.verifiedEmailOf(profile);
    if ((await this.users.exists({ email })) === null) return undefined;
    const link = this.sessions.changeCredentials(
      { email, 'oidc.issuer': { $ne: issuer } },
      {
        $set: { oidc: { issuer, subject } },
        $unset: CREDENTIAL_FIELDS,
      },
    );
    const user = (await link.catch(onDuplicateKey(() => undefined))) ?? (await this.linked(profile));
    if (user === undefined) throw new OidcFault('taken');
    return user;
  }

  private async create(profile: OidcProfile, memberships: Membership[]): Promise<User> {
    const { issuer, subject } = profile;
    const email = this.verifiedEmailOf(profile);
    const name = (profile.name ?? email.split('@')[0] ?? email).slice(0, MAX_NAME);
    const user = { email, name, memberships, networks: [], oidc: { issuer, subject } };
    const created = await this.users.create(user).catch(onDuplicateKey(() => null));
    const found = created?.toObject() ?? (await this.linked(profile));
    if (found === undefined) throw new OidcFault('taken');
    return found;
  }

  private async join(profile: OidcProfile): Promise<User> {
    const invited = await this.links.takeAllOf(this.verifiedEmailOf(profile));
    const memberships = invited.length > 0 ? membershipsOf(invited) : await this.byDefault();
    if (memberships.length === 0) throw new OidcFault('not_invited');
    const user = await this.create(profile, memberships);
    await this.grants.confirmNew(user, invited);
    return this.withRoles(user);
  }

  /** Only the owner of an address can sign in with it, so no password has to show that an invitation is theirs. */
  private async withInvitations(user: User, profile: OidcProfile): Promise<User> {
    const invited = this.isVerified(profile) ? await this.links.takeAllOf(profile.email) : [];
    await this.grants.give(user._id, invited);
    return this.withRoles(user);
  }

  private async withRoles({ _id }: User): Promise<User> {
    const now = await this.users.findById(_id).lean().exec();
    if (now === null || now.memberships.length === 0) throw new OidcFault('not_invited');
    return now;
  }

  private async byDefault(): Promise<Membership[]> {
    const role = this.config.get('OIDC_DEFAULT_ROLE');
    if (role === undefined) return [];
    return (await this.environments.listOfDefault()).map((environment) => membershipIn(environment, role));
  }

  /** The highest role of each environment. */
  private async mapped(values: readonly string[]): Promise<Membership[]> {
    const own = this.config.get('OIDC_ROLES').filter(({ value }) => value === '*' || values.includes(value));
    if (own.length === 0) return [];
    return (await this.environments.listOfDefault()).flatMap((place) => {
      const here = own.filter(({ environment }) => environment === undefined || environment === place.name);
      const role = ROLES.findLast((one) => here.some((mapped) => mapped.role === one));
      return role === undefined ? [] : [membershipIn(place, role)];
    });
  }

  private assertDomain(profile: OidcProfile): void {
    const domains = this.config.get('OIDC_DOMAINS');
    if (domains.length === 0) return;
    const [, domain = ''] = this.verifiedEmailOf(profile).split('@');
    if (!domains.includes(domain)) throw new OidcFault('wrong_domain');
  }

  private verifiedEmailOf(profile: OidcProfile): string {
    if (profile.email === undefined) throw new OidcFault('email_missing');
    if (!this.isVerified(profile)) throw new OidcFault('email_unverified');
    return profile.email;
  }

  private isVerified(profile: OidcProfile): profile is OidcProfile & { readonly email: string } {
    const { email, isEmailVerified = this.config.get('OIDC_TRUST_EMAIL') } = profile;
    return email !== undefined && email.length <= MAX_EMAIL && isEmail(email) && isEmailVerified;
  }
}

function membershipIn(
  { _id, _organizationId }: { readonly _id: string; readonly _organizationId: string },
  role: Membership['role'],
): Membership {
  return { _organizationId: new Types.ObjectId(_organizationId), _environmentId: new Types.ObjectId(_id), role };
}
