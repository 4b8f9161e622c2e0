import { hash } from 'node:crypto';
import type { mongo } from 'mongoose';
import { derivedObjectId } from '#libs/persistence';
import { isObject, type RawObject } from '#libs/validation';
import { given, needed, type Row, type Taken, textOf, timesOf } from './novu-records.js';

export function organizationOf(row: Row): Taken {
  const { _id } = row;
  const name = needed(row['name'], 'name');
  const branding = isObject(row['branding']) ? row['branding'] : undefined;
  const { logo, color, fontColor, fontFamily, contentBackground } = branding ?? {};
  const own = given({ logo, color, fontColor, fontFamily, contentBackground });
  const record = { _id, name, _ownerId: _id, ...(Object.keys(own).length > 0 && { branding: own }) };
  return { record: { ...record, ...timesOf(row), deleted: false, __v: 0 } };
}

/** Without its API keys. */
export function environmentOf(row: Row): Row {
  const { _id, _organizationId, _parentId } = row;
  const identifier = needed(row['identifier'], 'identifier');
  const fields = { name: textOf(row['name']) ?? identifier, identifier, ...given({ _parentId: _parentId as unknown }) };
  return { _id, _organizationId, ...fields, ...timesOf(row), deleted: false, __v: 0 };
}

interface FoundKey {
  readonly environment: Row;
  readonly key: RawObject;
  readonly plain: string;
  readonly place: number;
  readonly seal: (plain: string, id: mongo.ObjectId, environmentId: mongo.ObjectId) => string;
}

/** Its hash is the same. */
export function apiKeyOf({ environment, key, plain, place, seal }: FoundKey): Row {
  const { _id, _organizationId } = environment;
  const digest = hash('sha256', plain);
  const id = derivedObjectId(_id, 'api-key', digest);
  return {
    _id: id,
    _organizationId,
    _environmentId: _id,
    _userId: key['_userId'] ?? _id,
    name: place === 0 ? 'Novu' : `Novu ${place + 1}`,
    hash: digest,
    sealed: seal(plain, id, _id),
    ...timesOf(environment),
    deleted: false,
    __v: 0,
  };
}
