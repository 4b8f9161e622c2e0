import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { AppConfig } from '#libs/config';
import { AppModule } from '../../src/app.module.js';

const KINDS: readonly number[] = [RouteParamtypes.BODY, RouteParamtypes.QUERY, RouteParamtypes.PARAM];

/** The classes of all bodies, queries and paths of the application, by name. Needs no store. */
export async function inputClasses(): Promise<Type<object>[]> {
  const app = await NestFactory.create(AppModule.forRoot(AppConfig.from({})), { preview: true, logger: false });
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  const classes = new Set(controllers.flatMap(({ metatype }) => classesOf(metatype as Type<unknown>)));
  await app.close();
  return [...classes].sort((a, b) => a.name.localeCompare(b.name));
}

function classesOf(controller: Type<unknown>): Type<object>[] {
  const prototype = controller.prototype as object;
  return Object.getOwnPropertyNames(prototype).flatMap((method) => {
    const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
      string,
      { index: number }
    >;
    const types = (Reflect.getMetadata('design:paramtypes', prototype, method) ?? []) as unknown[];
    return Object.entries(parameters)
      .filter(([key]) => KINDS.includes(Number(key.split(':', 1)[0])))
      .map(([, { index }]) => types[index])
      .filter((type): type is Type<object> => typeof type === 'function' && type !== String && type !== Object);
  });
}
