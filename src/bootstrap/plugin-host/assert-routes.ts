import { type DynamicModule, type INestApplicationContext, RequestMethod, type Type } from '@nestjs/common';
import { MODULE_METADATA, PATH_METADATA, METHOD_METADATA, VERSION_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { PluginError } from '#libs/plugins';
import { registeredPlugins } from './register-plugin.js';

interface Route {
  /** `GET /v1/feeds`, without names of parameters. */
  readonly text: string;
  readonly plugin: string | undefined;
}

/** @throws {PluginError} if a plugin's route exists in Herald or another plugin */
export function assertRoutes(app: INestApplicationContext): void {
  if (registeredPlugins().length === 0) return;
  const owners = ownersOfModules();
  const taken = new Map<string, Route>();
  // Herald's own first, so that the fault names a plugin.
  const routes = routesOf(app, owners).sort((a, b) => Number(a.plugin !== undefined) - Number(b.plugin !== undefined));
  for (const route of routes) {
    const other = taken.get(route.text);
    if (other !== undefined && route.plugin !== undefined) {
      const whose = other.plugin === undefined ? 'Herald' : `the plugin '${other.plugin}'`;
      const own = other.plugin === route.plugin;
      throw new PluginError(
        route.plugin,
        `${own ? 'it' : whose} has the route ${route.text} ${own ? 'twice' : 'already'}. Give that of the plugin another path.`,
      );
    }
    taken.set(route.text, route);
  }
}

/** By plugin name, with `:` for each parameter. */
export function routesOfPlugins(app: INestApplicationContext): ReadonlyMap<string, readonly string[]> {
  const routes = new Map<string, string[]>();
  for (const { text, plugin } of routesOf(app, ownersOfModules())) {
    if (plugin !== undefined) routes.set(plugin, [...(routes.get(plugin) ?? []), text]);
  }
  return routes;
}

/** Includes imported modules that are not Herald's. */
function ownersOfModules(): Map<unknown, string> {
  const owners = new Map<unknown, string>();
  const visit = (module: unknown, plugin: string): void => {
    const type = isDynamic(module) ? module.module : module;
    if (typeof type !== 'function' || owners.has(type)) return;
    owners.set(type, plugin);
    const declared = Reflect.getMetadata(MODULE_METADATA.IMPORTS, type) as readonly unknown[] | undefined;
    for (const child of declared ?? []) visit(child, plugin);
    if (isDynamic(module)) for (const child of module.imports ?? []) visit(child, plugin);
  };
  for (const { name, modules = [] } of registeredPlugins()) for (const module of modules) visit(module, name);
  return owners;
}

function isDynamic(module: unknown): module is DynamicModule {
  return typeof module === 'object' && module !== null && Object.hasOwn(module, 'module');
}

function routesOf(app: INestApplicationContext, owners: ReadonlyMap<unknown, string>): Route[] {
  return [...app.get(ModulesContainer).values()].flatMap(({ metatype, controllers }) =>
    [...controllers.values()].flatMap((controller) => {
      const type = controller.metatype as Type | null;
      if (type === null) return [];
      return textsOf(type).map((text) => ({ text, plugin: owners.get(metatype) }));
    }),
  );
}

function textsOf(controller: Type): string[] {
  const versions = listOf(Reflect.getMetadata(VERSION_METADATA, controller) ?? '1');
  const bases = listOf(Reflect.getMetadata(PATH_METADATA, controller));
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as unknown;
    if (typeof handler !== 'function') return [];
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const paths = listOf(Reflect.getMetadata(PATH_METADATA, handler));
    return versions.flatMap((version) =>
      bases.flatMap((base) => paths.map((path) => `${RequestMethod[method]} ${joined(version, base, path)}`)),
    );
  });
}

function listOf(value: unknown): string[] {
  return [value].flat().map((one) => (typeof one === 'string' ? one : ''));
}

function joined(version: string, ...parts: readonly string[]): string {
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '');
  return ['', `v${version}`, ...segments.map((segment) => (segment.startsWith(':') ? ':' : segment))].join('/');
}
