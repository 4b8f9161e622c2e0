import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule } from '@nestjs/event-emitter';
import { AppLogger } from '#libs/http-kit';
import { definePlugin, isPlugin } from './define-plugin.js';
import { listenTo } from './listeners.js';

class Happened {}
class Service {}
@Module({ providers: [Service] })
class Inner {}

const logged: unknown[][] = [];
@Global()
@Module({
  providers: [{ provide: AppLogger, useValue: { event: (...entry: unknown[]) => logged.push(entry) } }],
  exports: [AppLogger],
})
class Logging {}

describe('definePlugin', () => {
  it('should make a dynamic module for each plugin, with its manifest', () => {
    const manifest = { name: 'a', apiVersion: 1, modules: [Inner] };
    const [first, second] = [definePlugin(manifest), definePlugin({ ...manifest, name: 'b' })];
    expect(first).toMatchObject({ imports: [Inner], manifest });
    expect([first.module.name, second.module.name]).toEqual(['a', 'b']);
    expect([first, second].every(isPlugin)).toBe(true);
  });

  it.each([undefined, null, 'plugin', {}, { module: Inner }])('should not recognize %p as a plugin', (value) => {
    expect(isPlugin(value)).toBe(false);
  });

  it('should be imported like any module, and log errors of listeners', async () => {
    const seen: string[] = [];
    const first = definePlugin({
      name: 'a',
      apiVersion: 1,
      modules: [Inner],
      listeners: [
        listenTo(Happened, () => Promise.reject(new Error('no luck'))),
        listenTo(Happened, () => seen.push('a')),
      ],
    });
    const second = definePlugin({ name: 'b', apiVersion: 1, listeners: [listenTo(Happened, () => seen.push('b'))] });
    class Root {}
    const app = await NestFactory.createApplicationContext(
      { module: Root, imports: [EventEmitterModule.forRoot(), Logging, first, second] },
      { logger: false },
    );
    expect(app.get(Service)).toBeInstanceOf(Service);
    await app.get(EventEmitter2).emitAsync(Happened.name, new Happened());
    expect(seen).toEqual(['a', 'b']);
    expect(logged).toEqual([
      ['error', "A listener of the plugin 'a' failed.", { err: new Error('no luck'), event: 'Happened' }],
    ]);
    await app.close();
  });
});
