import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { Clock, type TenantContext } from '#libs/common';
import { Concealed } from '#libs/http-kit';
import { onDuplicateKey, ownedBy, type TenantModel } from '#libs/persistence';
import { SecretBox } from '#libs/secrets';
import { EnvironmentSecret, SEALED_ENVIRONMENT_SECRET } from './environment-secret.schema.js';
import { type SecretResponse, showSecret } from './environment-secret.response.js';
import { InvalidSecretName, SecretNotFound } from './environment-secrets.errors.js';

const NAME = /^[A-Za-z]\w{0,63}$/;

@Injectable()
export class EnvironmentSecretsService {
  constructor(
    @InjectModel(EnvironmentSecret.name) private readonly records: TenantModel<EnvironmentSecret>,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  async list(tenant: TenantContext): Promise<SecretResponse[]> {
    const rows = await this.records.list(tenant, {}, { sort: { name: 1 }, fields: ['name', 'createdAt', 'updatedAt'] });
    return rows.map((row) => showSecret(row));
  }

  /** For the audit log: that a value was replaced. */
  async listConcealed(tenant: TenantContext): Promise<object[]> {
    const rows = await this.records.list(tenant, {}, { fields: ['name', 'sealedValue'] });
    return rows.map(({ name, sealedValue }) => ({ name, value: new Concealed(sealedValue) }));
  }

  /** Creates a secret, or replaces its value. @throws {InvalidSecretName} */
  async set(tenant: TenantContext, name: string, value: string): Promise<SecretResponse> {
    if (!NAME.test(name)) throw new InvalidSecretName(name);
    const _environmentId = tenant.environmentId;
    const found = await this.records.one(tenant, { name }, { fields: ['_id', 'createdAt'] });
    if (found === undefined) return this.create(tenant, name, value);
    const updatedAt = this.clock.now();
    const sealedValue = this.secrets.seal(value, SEALED_ENVIRONMENT_SECRET.of(found._id, _environmentId));
    const { matchedCount } = await this.records.updateOne(
      { _id: found._id, _environmentId },
      { $set: { sealedValue, updatedAt } },
      { timestamps: false },
    );
    // It was removed in between.
    if (matchedCount === 0) return this.create(tenant, name, value);
    return showSecret({ name, createdAt: found.createdAt, updatedAt });
  }

  /** @throws {SecretNotFound} */
  async remove(tenant: TenantContext, name: string): Promise<void> {
    const { deletedCount } = await this.records.deleteOne({ _environmentId: tenant.environmentId, name });
    if (deletedCount === 0) throw new SecretNotFound(name);
  }

  /** By name; those that there are. @throws {SecretUnreadableError} */
  async valuesOf(owner: TenantContext, names: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.records.list(
      owner,
      { name: { $in: [...names] } },
      { fields: ['_id', 'name', 'sealedValue'] },
    );
    return new Map(
      rows.map(({ _id, name, sealedValue }) => [
        name,
        this.secrets.open(sealedValue, SEALED_ENVIRONMENT_SECRET.of(_id, owner.environmentId)),
      ]),
    );
  }

  private create(owner: TenantContext, name: string, value: string): Promise<SecretResponse> {
    const _id = new Types.ObjectId();
    const sealedValue = this.secrets.seal(value, SEALED_ENVIRONMENT_SECRET.of(_id, owner.environmentId));
    return this.records.create({ _id, ...ownedBy(owner), name, sealedValue }).then(
      (row) => showSecret(row.toObject()),
      onDuplicateKey(() => this.set(owner, name, value)),
    );
  }
}
