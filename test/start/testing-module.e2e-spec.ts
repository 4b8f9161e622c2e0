import type { Server } from 'node:http';
import { type CanActivate, Controller, Get, type INestApplication, Injectable, Module } from '@nestjs/common';
import { getModelToken, InjectModel, MongooseModule, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import type { Model } from 'mongoose';
import request from 'supertest';
import { AppConfig } from '#libs/config';
import type { HttpRequest } from '#libs/http-kit';
import { TenantRecord } from '#libs/persistence';
import { AppModule } from '../../src/app.module.js';
import { CallerGuard } from '../../src/http/caller.guard.js';
import { FeedsService } from '../../src/content/feeds/index.js';
import { PLATFORMS } from '../support/platforms.js';
import { applicationOf, TEST_KEY, testConfig } from '../support/testing-module.js';

@Schema({ collection: 'leaflets' })
class Leaflet extends TenantRecord {
  @Prop({ type: String, required: true })
  text: string;
}

@Injectable()
class LeafletsService {
  constructor(@InjectModel(Leaflet.name) private readonly leaflets: Model<Leaflet>) {}

  async texts(): Promise<string[]> {
    return (await this.leaflets.find().exec()).map(({ text }) => text);
  }
}

@Controller('leaflets')
class LeafletsController {
  constructor(private readonly leaflets: LeafletsService) {}

  @Get()
  list(): Promise<string[]> {
    return this.leaflets.texts();
  }
}

@Module({
  imports: [MongooseModule.forFeature([{ name: Leaflet.name, schema: SchemaFactory.createForClass(Leaflet) }])],
  controllers: [LeafletsController],
  providers: [LeafletsService],
})
class LeafletsModule {}

/** As the manual of Nest has it, chapter Testing. */
describe.each(PLATFORMS)('a testing module with AppModule, on $HTTP_PLATFORM', (platform) => {
  let app: INestApplication<Server> | undefined;
  afterEach(() => app?.close());

  const builder = (): TestingModuleBuilder =>
    Test.createTestingModule({ imports: [AppModule, LeafletsModule] })
      .overrideProvider(AppConfig)
      .useValue(testConfig({ ...platform, DELIVERY_WORKER: 'off' }));
  const start = async (module: TestingModuleBuilder): Promise<Server> => {
    app = await applicationOf(await module.compile());
    return app.getHttpServer();
  };
  const leaflets = (server: Server): request.Test => request(server).get('/v1/leaflets').set('Authorization', TEST_KEY);

  it('should serve every route with a store of its own, and listen nowhere', async () => {
    const server = await start(builder());
    expect(server.listening).toBe(false);
    await request(server).get('/v1/leaflets').expect(401);
    await leaflets(server).expect(200, { data: [] });
    await request(server)
      .post('/v1/feeds')
      .set('Authorization', TEST_KEY)
      .send({ name: `News on ${platform.HTTP_PLATFORM}` })
      .expect(201);
  });

  it('should take another provider, of a module and of Herald', async () => {
    const server = await start(
      builder()
        .overrideProvider(LeafletsService)
        .useValue({ texts: () => ['overridden'] })
        .overrideProvider(FeedsService)
        .useValue({ list: () => [] }),
    );
    await leaflets(server).expect(200, { data: ['overridden'] });
    await request(server).get('/v1/feeds').set('Authorization', TEST_KEY).expect(200, { data: [] });
  });

  it('should take another model', async () => {
    const find = (): object => ({ exec: () => Promise.resolve([{ text: 'of no store' }]) });
    const server = await start(builder().overrideProvider(getModelToken(Leaflet.name)).useValue({ find }));
    await leaflets(server).expect(200, { data: ['of no store'] });
  });

  it('should take another guard of all routes', async () => {
    const environment = { organizationId: '0'.repeat(24), environmentId: '1'.repeat(24) };
    const guard: CanActivate = {
      canActivate: (context) => {
        const caller = { ...environment, userId: '2'.repeat(24), apiKeyId: '3'.repeat(24), scopes: [] };
        context.switchToHttp().getRequest<HttpRequest>().tenant = caller;
        return true;
      },
    };
    const server = await start(builder().overrideProvider(CallerGuard).useValue(guard));
    await request(server).get('/v1/leaflets').expect(200, { data: [] });
  });
});
