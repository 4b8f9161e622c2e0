import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { mongo } from 'mongoose';
import { type TenantModel, toObjectId } from '#libs/persistence';
import {
  type ErasedPerson,
  type ErasureProgress,
  type HoldsPersonalData,
  removeAll,
} from '../../audience/subscribers/index.js';
import { Preference } from './preference.schema.js';

@Injectable()
export class PreferenceRecords implements HoldsPersonalData {
  constructor(@InjectModel(Preference.name) private readonly preferences: TenantModel<Preference>) {}

  erase({ environmentId, id }: ErasedPerson): AsyncIterable<ErasureProgress> {
    const own = { _environmentId: toObjectId(environmentId), _subscriberId: id };
    return removeAll(this.preferences.collection as unknown as mongo.Collection<Preference>, own);
  }
}
