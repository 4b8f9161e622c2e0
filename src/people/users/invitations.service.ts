import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import type { Caller, TenantContext } from '#libs/common';
import { EnvironmentNotFound, EnvironmentsService } from '../../platform/environments/index.js';
import { assertRules, Authority } from './authority.js';
import { InviterNames } from './inviter-names.js';
import { LinkMails } from './link-mails.js';
import { issuerOf, OneTimeLinks } from './one-time-links.js';
import { type Membership, User } from './user.schema.js';
import type { InviteDto } from './users.dto.js';
import { AlreadyMember, InvitationNotFound } from './users.errors.js';
import {
  type CreatedInvitationResponse,
  type InvitationResponse,
  showCreatedInvitation,
  showInvitation,
} from './users.response.js';

@Injectable()
export class InvitationsService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly links: OneTimeLinks,
    private readonly mails: LinkMails,
    private readonly environments: EnvironmentsService,
    private readonly people: InviterNames,
    private readonly authority: Authority,
  ) {}

  /** @param base address of this Herald */
  async invite(caller: Caller, dto: InviteDto, base: string): Promise<CreatedInvitationResponse> {
    const memberships = await this.membershipsOf(caller, dto);
    const known = {
      email: dto.email,
      'memberships._environmentId': { $in: memberships.map((one) => one._environmentId) },
    };
    if ((await this.users.exists(known)) !== null) throw new AlreadyMember(dto.email);
    const invitedBy = await this.people.of(caller);
    const { token, row } = await this.links.make({ email: dto.email, memberships, invitedBy, ...issuerOf(caller) });
    const url = linkOf(base, token);
    const sent = await this.mails.send(memberships, {
      id: row._id.toHexString(),
      to: dto.email,
      subject: 'You are invited to Herald',
      text: `${invitedBy} invited you to Herald as ${dto.role}. Open this link within a week to choose your password:`,
      url,
    });
    return showCreatedInvitation(row, caller.environmentId, { url, expiresAt: row.expiresAt, ...sent });
  }

  /** The link that the first start prints: owner of everything. */
  async inviteFirst(owner: Pick<TenantContext, 'organizationId'>, base: string): Promise<string> {
    const environments = await this.environments.list(owner);
    const memberships = environments.map(({ _id }) => membership(owner.organizationId, _id, 'owner'));
    const { token } = await this.links.make({ memberships, invitedBy: 'the first start', issuer: 'operator' });
    return linkOf(base, token);
  }

  async list({ environmentId }: TenantContext): Promise<InvitationResponse[]> {
    return (await this.links.listIn(environmentId)).map((row) => showInvitation(row, environmentId));
  }

  /** @throws {InvitationNotFound} */
  async withdraw(caller: Caller, id: string): Promise<void> {
    const row = await this.links.findIn(caller.environmentId, id);
    if (row === null) throw new InvitationNotFound(id);
    assertRules(await this.authority.of(caller), row.memberships);
    await this.links.withdraw(row);
  }

  private async membershipsOf(caller: Caller, { role, environmentIds }: InviteDto): Promise<Membership[]> {
    const ids = [...new Set(environmentIds?.length ? environmentIds : [caller.environmentId])].sort();
    const memberships = ids.map((id) => membership(caller.organizationId, id, role, caller.apiKeyId));
    await this.authority.assertGives(caller, memberships);
    const own = new Set((await this.environments.list(caller)).map(({ _id }) => _id));
    const foreign = ids.find((id) => !own.has(id));
    if (foreign !== undefined) throw new EnvironmentNotFound(foreign);
    return memberships;
  }
}

function membership(
  organizationId: string,
  environmentId: string,
  role: Membership['role'],
  issuedBy?: string,
): Membership {
  return {
    _organizationId: new Types.ObjectId(organizationId),
    _environmentId: new Types.ObjectId(environmentId),
    role,
    ...(issuedBy !== undefined && { issuedBy }),
  };
}

/** What follows # stays in the browser: no proxy or log gets it. */
export function linkOf(base: string, token: string): string {
  return `${base}/console/invitation#${token}`;
}
