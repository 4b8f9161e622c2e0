import { Module, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ROOMS } from './delivery.module.js';
import { RehearsalModule } from './rehearsal/rehearsal.module.js';

type Kind = 'imports' | 'providers' | 'exports';

function metadataOf<T>(room: Type, kind: Kind): T[] {
  return (Reflect.getMetadata(kind, room) ?? []) as T[];
}

function tokensOf(room: Type): Type[] {
  return metadataOf<Provider>(room, 'providers').map((one) => ('provide' in one ? (one.provide as Type) : one));
}

/**
 * Builds the rooms with the imports and exports that they have, a value in the place of each provider, and in one of them a
 * provider that injects the given one.
 */
async function inject(token: Type, into: Type): Promise<unknown> {
  const probe = { provide: 'probe', inject: [token], useFactory: (injected: unknown) => injected };
  const copies = new Map(ROOMS.map((room) => [room as Type, class {} as Type]));
  for (const [room, copy] of copies) {
    const values: Provider[] = tokensOf(room).map((provide) => ({ provide, useValue: provide }));
    Module({
      imports: metadataOf<Type>(room, 'imports').flatMap((one) => copies.get(one) ?? []),
      providers: room === into ? [...values, probe] : values,
      exports: metadataOf(room, 'exports'),
    })(copy);
  }
  const root = { module: class Root {}, imports: [...copies.values()] };
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  await app.close();
  return app.get('probe', { strict: false });
}

const EACH = ROOMS.map((room, place) => ({ room: room as Type, name: room.name, below: ROOMS.slice(0, place) }));

describe('the rooms of the engine', () => {
  it.each(EACH)('should inject into $name what it may use', async ({ room, below }) => {
    const imported = metadataOf<Type>(room, 'imports').filter((one) => ROOMS.some((other) => other === one));
    for (const lower of imported) {
      expect(below).toContain(lower);
      for (const token of metadataOf<Type>(lower, 'exports')) expect(await inject(token, room)).toBe(token);
    }
  });

  it('should provide everything once, but for what a rehearsal has of its own', () => {
    const tokens = ROOMS.filter((room) => room !== RehearsalModule).flatMap(tokensOf);
    expect(tokens.filter((token, place) => tokens.indexOf(token) !== place)).toEqual([]);
  });

  it.each(EACH)('should inject nothing of $name below it', async ({ room, below }) => {
    const shared = new Set(below.flatMap(tokensOf));
    for (const token of tokensOf(room).filter((one) => !shared.has(one))) {
      for (const lower of below)
        await expect(inject(token, lower)).rejects.toThrow('resolve dependencies of the probe');
    }
  });
});
