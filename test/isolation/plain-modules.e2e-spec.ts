import {
  Body,
  type CanActivate,
  Controller,
  Delete,
  ForbiddenException,
  Get,
  HttpCode,
  Injectable,
  Module,
  NotFoundException,
  Param,
  Patch,
  Post,
  UseGuards,
} from '@nestjs/common';
import { InjectModel, MongooseModule, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { IsString } from 'class-validator';
import type { Model } from 'mongoose';
import { asTenant, EventBus, type TenantContext } from '#libs/common';
import { Public, Tenant } from '#libs/http-kit';
import { TenantRecord } from '#libs/persistence';
import { definePlugin, OnHeraldEvent } from '../../src/bootstrap/plugin-api/index.js';
import { WorkflowCreated } from '../../src/content/workflows/workflows.events.js';
import type { TestSession } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { PLATFORMS } from '../support/platforms.js';
import { startTestApi, useApi } from '../support/test-api.js';

@Schema({ collection: 'memos', timestamps: true })
class Memo extends TenantRecord {
  @Prop({ type: String, required: true })
  title: string;
}
const MemoSchema = SchemaFactory.createForClass(Memo);

class CreateMemoDto {
  @IsString()
  title: string;
}

/** Nothing of Herald in it but what the class of the schema extends. */
@Injectable()
class MemosService {
  constructor(@InjectModel(Memo.name) private readonly memos: Model<Memo>) {}

  create(memo: CreateMemoDto): Promise<Memo> {
    return this.memos.create(memo);
  }

  findAll(): Promise<Memo[]> {
    return this.memos.find().sort({ title: 1 }).exec();
  }

  async update(id: string, memo: CreateMemoDto): Promise<Memo> {
    const found = await this.memos.findByIdAndUpdate(id, memo, { returnDocument: 'after' }).exec();
    if (found === null) throw new NotFoundException();
    return found;
  }

  async remove(id: string): Promise<void> {
    const { deletedCount } = await this.memos.deleteOne({ _id: id }).exec();
    if (deletedCount === 0) throw new NotFoundException();
  }

  /** As a timer does. */
  countOf(tenant: TenantContext): Promise<number> {
    return new Promise((resolve, reject) => {
      setImmediate(() => void asTenant(tenant, () => this.memos.countDocuments()).then(resolve, reject));
    });
  }

  @OnHeraldEvent(WorkflowCreated)
  async note({ tenant }: WorkflowCreated): Promise<void> {
    await this.memos.create({ title: `listener of ${tenant.environmentId}` });
  }
}

/** Lets those in who have no memo called 'closed'. */
@Injectable()
class OpenGuard implements CanActivate {
  constructor(@InjectModel(Memo.name) private readonly memos: Model<Memo>) {}

  async canActivate(): Promise<boolean> {
    if ((await this.memos.exists({ title: 'closed' })) === null) return true;
    throw new ForbiddenException('It is closed.');
  }
}

@Controller('memos')
class MemosController {
  constructor(private readonly memos: MemosService) {}

  @Post()
  create(@Body() memo: CreateMemoDto): Promise<Memo> {
    return this.memos.create(memo);
  }

  @Get()
  @UseGuards(OpenGuard)
  findAll(): Promise<Memo[]> {
    return this.memos.findAll();
  }

  @Patch(':id')
  update(@Param('id') id: string, @Body() memo: CreateMemoDto): Promise<Memo> {
    return this.memos.update(id, memo);
  }

  @Delete(':id')
  @HttpCode(204)
  remove(@Param('id') id: string): Promise<void> {
    return this.memos.remove(id);
  }

  @Get('public')
  @Public()
  findPublic(): Promise<Memo[]> {
    return this.memos.findAll();
  }

  @Get('counted')
  count(@Tenant() tenant: TenantContext): Promise<number> {
    return this.memos.countOf(tenant);
  }
}

@Module({
  imports: [MongooseModule.forFeature([{ name: Memo.name, schema: MemoSchema }])],
  controllers: [MemosController],
  providers: [MemosService],
})
class MemosModule {}

const PLUGIN = definePlugin({ name: 'memos', apiVersion: 1, modules: [MemosModule] });

describe.each([
  ...PLATFORMS.map((platform) => ['a module', platform, MemosModule] as const),
  ['a plugin', PLATFORMS[0], PLUGIN] as const,
])('%s with a plain schema and model, on %j', (_what, platform, module) => {
  const api = useApi(() => startTestApi(platform, undefined, undefined, [module]));
  let one: TestSession;
  let other: TestSession;
  beforeEach(async () => {
    [one, other] = await api.siblings();
  });

  const titles = async (session = one): Promise<string[]> =>
    dataOf<{ title: string }[]>(await session.get('/v1/memos').expect(200)).map(({ title }) => title);

  it('should keep the records of each environment to it', async () => {
    const { _id } = dataOf<{ _id: string }>(await one.post('/v1/memos', { title: 'ours' }).expect(201));
    await other.post('/v1/memos', { title: 'theirs' }).expect(201);
    expect([await titles(one), await titles(other)]).toEqual([['ours'], ['theirs']]);
    await other.patch(`/v1/memos/${_id}`, { title: 'stolen' }).expect(404);
    await other.delete(`/v1/memos/${_id}`).expect(404);
    await one.patch(`/v1/memos/${_id}`, { title: 'still ours' }).expect(200);
    expect(await titles(one)).toEqual(['still ours']);
    await one.delete(`/v1/memos/${_id}`).expect(204);
    expect(await titles(one)).toEqual([]);
  });

  it('should do so for requests that are answered at the same time', async () => {
    const names = Array.from({ length: 20 }, (_, place) => `memo ${String(place).padStart(2, '0')}`);
    const sessionOf = (place: number): TestSession => (place % 2 === 0 ? one : other);
    await Promise.all(
      names.map((title, place) =>
        sessionOf(place)
          .post('/v1/memos', { title: `${title} of ${place % 2}` })
          .expect(201),
      ),
    );
    for (const place of [0, 1]) {
      const found = await titles(sessionOf(place));
      expect(found).toHaveLength(10);
      expect(found.filter((title) => !title.endsWith(`of ${place}`))).toEqual([]);
    }
  });

  it('should do so in a guard of the module', async () => {
    await one.post('/v1/memos', { title: 'closed' }).expect(201);
    await one.get('/v1/memos').expect(403);
    await other.get('/v1/memos').expect(200);
  });

  it('should have the caller in listeners, and a tenant in work of its own', async () => {
    await one.post('/v1/memos', { title: 'one' }).expect(201);
    expect(dataOf(await one.get('/v1/memos/counted').expect(200))).toBe(1);
    const { environmentId, organizationId } = one;
    const tenant = { environmentId, organizationId, userId: '', apiKeyId: '' };
    // In the middle of somebody else's request, as when Herald does the work of many together.
    await asTenant({ environmentId: other.environmentId }, () =>
      api.app.get(EventBus).publish(new WorkflowCreated(tenant, '0'.repeat(24))),
    );
    expect(await titles(one)).toEqual([`listener of ${environmentId}`, 'one']);
    expect(await titles(other)).toEqual([]);
  });

  it('should not answer where nobody has called', async () => {
    await api.app
      .get(MemosService, { strict: false })
      .findAll()
      .then(
        () => expect('answered').toBe('refused'),
        (error: Error) => expect(error.message).toMatch(/^Memo belongs to environments, .* asTenant\(tenant, /),
      );
    await one.get('/v1/memos/public').expect(500);
  });
});
