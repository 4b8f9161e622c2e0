import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Types } from 'mongoose';
import { type Caller, Clock, type TenantContext } from '#libs/common';
import { MASKED } from '#libs/http-kit';
import { onDuplicateKey, ownedBy, type TenantModel } from '#libs/persistence';
import { newSigningSecret, SecretBox } from '#libs/secrets';
import { SecretVisibility } from '../../platform/auth/index.js';
import { ConditionSecret, SEALED_CONDITION_SECRET, SEALED_FORMER_CONDITION_SECRET } from './condition-secret.schema.js';
import type { ConditionSecretResponse } from './condition-secret.response.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;

/** A replaced secret also signs for this time, so that receivers can switch. */
const FORMER_SECRET_MS = 86_400_000;

@Injectable()
export class ConditionSecretsService {
  constructor(
    @InjectModel(ConditionSecret.name) private readonly records: TenantModel<ConditionSecret>,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
    private readonly visibility: SecretVisibility,
  ) {}

  /** The secret, masked for callers that may not see stored secrets. */
  async reveal(caller: Caller): Promise<ConditionSecretResponse> {
    const shown = this.show(await this.findOrCreate(caller));
    return this.visibility.isFullFor(caller) ? shown : { ...shown, secret: MASKED };
  }

  async rotate(owner: Owner): Promise<ConditionSecretResponse> {
    const { _id } = await this.findOrCreate(owner);
    const now = this.clock.now();
    const place = SEALED_CONDITION_SECRET.of(_id, owner.environmentId);
    // the former secret is taken from the record itself
    const update = [
      {
        $set: {
          former: { sealed: '$sealedSecret', until: new Date(now.getTime() + FORMER_SECRET_MS) },
          sealedSecret: { $literal: this.secrets.seal(newSigningSecret(), place) },
          updatedAt: now,
        },
      },
    ];
    await this.records.updateOne({ _id, _environmentId: owner.environmentId }, update, {
      updatePipeline: true,
      timestamps: false,
    });
    return this.show(await this.findOrCreate(owner));
  }

  /** The secrets that sign at this moment, the current one first. */
  async signingSecrets(owner: Owner): Promise<string[]> {
    const row = await this.findOrCreate(owner);
    const current = this.secrets.open(row.sealedSecret, SEALED_CONDITION_SECRET.of(row._id, owner.environmentId));
    if (row.former === undefined || row.former.until <= this.clock.now()) return [current];
    const place = SEALED_FORMER_CONDITION_SECRET.of(row._id, owner.environmentId);
    const former = this.secrets.tryOpen(row.former.sealed, place);
    return former === undefined ? [current] : [current, former];
  }

  private async findOrCreate(owner: Owner): Promise<ConditionSecret> {
    const filter = { _environmentId: owner.environmentId };
    const found = await this.records.findOne(filter).lean().exec();
    if (found !== null) return found;
    const _id = new Types.ObjectId();
    const sealedSecret = this.secrets.seal(newSigningSecret(), SEALED_CONDITION_SECRET.of(_id, owner.environmentId));
    return this.records.create({ _id, ...ownedBy(owner), sealedSecret }).then(
      (row) => row.toObject(),
      onDuplicateKey(() => this.findOrCreate(owner)),
    );
  }

  private show({ _id, _environmentId, sealedSecret, former }: ConditionSecret): ConditionSecretResponse {
    const isValid = former !== undefined && former.until > this.clock.now();
    return {
      secret: this.secrets.open(sealedSecret, SEALED_CONDITION_SECRET.of(_id, _environmentId)),
      ...(isValid && { formerSecretUntil: former.until }),
    };
  }
}
