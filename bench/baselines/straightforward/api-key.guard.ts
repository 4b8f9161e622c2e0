import { createHash } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, Types } from 'mongoose';
import { ApiKey } from './schemas/api-key.schema.js';

const CACHE_MS = 2_000;

export interface KeyedRequest {
  readonly headers: Record<string, string | undefined>;
  environmentId?: Types.ObjectId;
  organizationId?: Types.ObjectId;
}

/** Reads the key from the store, and remembers it for a short time. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly known = new Map<string, { readonly key: ApiKey; readonly until: number }>();

  constructor(@InjectModel(ApiKey.name) private readonly keys: Model<ApiKey>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<KeyedRequest>();
    const [scheme, secret] = (request.headers['authorization'] ?? '').split(' ');
    if (scheme !== 'ApiKey' || secret === undefined) throw new UnauthorizedException();
    const key = await this.find(createHash('sha256').update(secret).digest('hex'));
    request.environmentId = key._environmentId;
    request.organizationId = key._organizationId;
    return true;
  }

  private async find(hash: string): Promise<ApiKey> {
    const known = this.known.get(hash);
    if (known !== undefined && known.until > Date.now()) return known.key;
    const key = await this.keys.findOne({ hash, deleted: false }).lean().exec();
    if (key === null) throw new UnauthorizedException();
    this.known.set(hash, { key, until: Date.now() + CACHE_MS });
    return key;
  }
}
