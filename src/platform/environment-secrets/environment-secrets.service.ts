import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { Concealed, ValidationFailed } from '#libs/http-kit';
import { onDuplicateKey, ownedBy, type TenantModel } from '#libs/persistence';
import { SecretBox } from '#libs/secrets';
import type { SetSecretDto } from './environment-secret.dto.js';
import { EnvironmentSecret, SEALED_ENVIRONMENT_SECRET } from './environment-secret.schema.js';
import { type SecretResponse, showSecret } from './environment-secret.response.js';
import { InvalidSecretName, SecretNotFound, SecretRefused } from './environment-secrets.errors.js';
import { isAmongHosts, normalHost } from './secret-hosts.js';

const NAME = /^[A-Za-z]\w{0,63}$/;
const HOSTS_MISSING = 'hosts is required: name the hosts that the secret may be sent to, such as ["api.example.com"]';
const VALUE_MISSING = 'value is required; hosts cannot be changed without it';

@Injectable()
export class EnvironmentSecretsService {
  constructor(
    @InjectModel(EnvironmentSecret.name) private readonly records: TenantModel<EnvironmentSecret>,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  async list(tenant: TenantContext): Promise<SecretResponse[]> {
    const rows = await this.records.list(
      tenant,
      {},
      { sort: { name: 1 }, fields: ['name', 'hosts', 'createdAt', 'updatedAt'] },
    );
    return rows.map((row) => showSecret(row));
  }

  /** For the audit log: that a value was replaced. */
  async listConcealed(tenant: TenantContext): Promise<object[]> {
    const rows = await this.records.list(tenant, {}, { fields: ['name', 'hosts', 'sealedValue'] });
    return rows.map(({ name, hosts, sealedValue }) => ({ name, hosts, value: new Concealed(sealedValue) }));
  }

  /**
   * Creates a secret, or replaces its value. A value goes to other hosts only when whoever binds it to them knows it.
   * @throws {InvalidSecretName} @throws {ValidationFailed}
   */
  async set(tenant: TenantContext, name: string, dto: SetSecretDto): Promise<SecretResponse> {
    if (!NAME.test(name)) throw new InvalidSecretName(name);
    const found = await this.records.one(tenant, { name }, { fields: ['_id', 'hosts', 'createdAt'] });
    const hosts = dto.hosts ? uniqueHosts(dto.hosts) : found?.hosts;
    if (hosts === undefined) throw new ValidationFailed([HOSTS_MISSING]);
    const value = dto.value ?? undefined;
    const isUnbound = found !== undefined && found.hosts === undefined;
    if (value === undefined && !isUnbound) throw new ValidationFailed([VALUE_MISSING]);
    const updatedAt = found && (await this.replace(tenant, found, { value, hosts }));
    if (found && updatedAt) return showSecret({ name, hosts, createdAt: found.createdAt, updatedAt });
    // It was removed, or bound by others, in between.
    if (value === undefined) throw new ValidationFailed([VALUE_MISSING]);
    return this.create(tenant, name, { value, hosts });
  }

  /** @throws {SecretNotFound} */
  async remove(tenant: TenantContext, name: string): Promise<void> {
    const { deletedCount } = await this.records.deleteOne({ _environmentId: tenant.environmentId, name });
    if (deletedCount === 0) throw new SecretNotFound(name);
  }

  /**
   * Values by their names, for a request to this host.
   * @throws {SecretRefused} if one does not exist, or must not be sent there @throws {SecretUnreadableError}
   */
  async valuesFor(hostname: string, owner: TenantContext, names: readonly string[]): Promise<Map<string, string>> {
    if (names.length === 0) return new Map();
    const rows = await this.records.list(
      owner,
      { name: { $in: [...names] } },
      { fields: ['_id', 'name', 'hosts', 'sealedValue'] },
    );
    const missing = names.filter((name) => !rows.some((row) => row.name === name));
    if (missing.length > 0) throw new SecretRefused(unknownText(missing));
    for (const { name, hosts } of rows) {
      if (hosts === undefined) throw new SecretRefused(unboundText(name));
      if (!isAmongHosts(hostname, hosts)) throw new SecretRefused(otherHostText(name, hostname, hosts));
    }
    return new Map(
      rows.map(({ _id, name, sealedValue }) => [
        name,
        this.secrets.open(sealedValue, SEALED_ENVIRONMENT_SECRET.of(_id, owner.environmentId)),
      ]),
    );
  }

  /** @returns when; undefined if there is no such secret any more */
  private async replace(
    { environmentId: _environmentId }: TenantContext,
    { _id }: Pick<EnvironmentSecret, '_id'>,
    { value, hosts }: { readonly value: string | undefined; readonly hosts: string[] },
  ): Promise<Date | undefined> {
    const updatedAt = this.clock.now();
    const sealedValue =
      value === undefined ? undefined : this.secrets.seal(value, SEALED_ENVIRONMENT_SECRET.of(_id, _environmentId));
    const { matchedCount } = await this.records.updateOne(
      { _id, _environmentId, ...(sealedValue === undefined && { hosts: { $exists: false } }) },
      { $set: { hosts, updatedAt, ...(sealedValue !== undefined && { sealedValue }) } },
      { timestamps: false },
    );
    return matchedCount === 0 ? undefined : updatedAt;
  }

  private create(
    owner: TenantContext,
    name: string,
    { value, hosts }: { readonly value: string; readonly hosts: string[] },
  ): Promise<SecretResponse> {
    const _id = new Types.ObjectId();
    const sealedValue = this.secrets.seal(value, SEALED_ENVIRONMENT_SECRET.of(_id, owner.environmentId));
    return this.records.create({ _id, ...ownedBy(owner), name, sealedValue, hosts }).then(
      (row) => showSecret(row.toObject()),
      onDuplicateKey(() => this.set(owner, name, { value, hosts })),
    );
  }
}

function uniqueHosts(hosts: readonly string[]): string[] {
  return [...new Set(hosts.map((host) => normalHost(host) ?? host))];
}

function unknownText(names: readonly string[]): string {
  return `There is no secret ${names.join(', ')}. Set it with PUT /v1/secrets/${names[0] ?? ''}.`;
}

function unboundText(name: string): string {
  return `The secret ${name} has no hosts, so it is sent to none. Somebody with the scope admin can bind it: PUT /v1/secrets/${name} with { "hosts": ["…"] }.`;
}

function otherHostText(name: string, hostname: string, hosts: readonly string[]): string {
  return `The secret ${name} must not be sent to '${hostname}', only to ${hosts.join(', ')}. Nothing was sent.`;
}
