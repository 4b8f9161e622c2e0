import { type DynamicModule, type INestApplicationContext, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA, VERSION_METADATA } from '@nestjs/common/constants.js';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { PluginError } from '#libs/plugins';
import { registeredPlugins } from './register-plugin.js';

/** @throws {PluginError} if a plugin's route exists in Herald or another plugin */
export function assertRoutes(app: INestApplicationContext): void {
  if (registeredPlugins().length === 0) return;
  const owners = new Map<unknown, string>();
  for (const { manifest, imports = [] } of registeredPlugins()) {
    for (const module of imports) addOwner(owners, module, manifest.name);
  }
  const modules = [...app.get(ModulesContainer).values()];
  // Herald's own first, so that the fault names a plugin.
  const ordered = modules.sort((a, b) => Number(owners.has(a.metatype)) - Number(owners.has(b.metatype)));
  const taken = new Map<string, string>();
  for (const { metatype, controllers } of ordered) {
    const plugin = owners.get(metatype);
    for (const route of [...controllers.values()].flatMap((one) => routesOf(one.metatype as Type | null))) {
      const other = taken.get(route);
      if (plugin !== undefined && other !== undefined) {
        const [owner, when] = other === `the plugin '${plugin}'` ? ['it', 'twice'] : [other, 'already'];
        throw new PluginError(plugin, `${owner} has the route ${route} ${when}. Give that of the plugin another path.`);
      }
      taken.set(route, plugin === undefined ? 'Herald' : `the plugin '${plugin}'`);
    }
  }
}

/** Also of the modules that it imports. */
function addOwner(owners: Map<unknown, string>, module: unknown, plugin: string): void {
  const { module: type = module, imports = [] } = module as Partial<DynamicModule>;
  if (typeof type !== 'function' || owners.has(type)) return;
  owners.set(type, plugin);
  const declared = (Reflect.getMetadata(MODULE_METADATA.IMPORTS, type) ?? []) as readonly unknown[];
  for (const child of [...declared, ...imports]) addOwner(owners, child, plugin);
}

/** Such as `GET /v1/feeds/:`, without the names of parameters. */
function routesOf(controller: Type | null): string[] {
  if (controller === null) return [];
  const prototype = controller.prototype as Record<string, object>;
  const metadata = (key: string, target: object): unknown[] => [Reflect.getMetadata(key, target) as unknown].flat();
  return new MetadataScanner().getAllMethodNames(prototype).flatMap((name) => {
    const handler = prototype[name] ?? {};
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    return metadata(VERSION_METADATA, controller).flatMap((version = '1') =>
      metadata(PATH_METADATA, controller).flatMap((base) =>
        metadata(PATH_METADATA, handler).map((path) =>
          `${RequestMethod[method]} /v${String(version)}/${String(base)}/${String(path)}`
            .replace(/\/+/g, '/')
            .replace(/\/$/, '')
            .replace(/:[^/]+/g, ':'),
        ),
      ),
    );
  });
}
