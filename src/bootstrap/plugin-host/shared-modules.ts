import 'reflect-metadata';
import * as nestCommon from '@nestjs/common';
import * as nestCore from '@nestjs/core';
import * as nestEvents from '@nestjs/event-emitter';
import * as nestMongoose from '@nestjs/mongoose';
import * as nestSwagger from '@nestjs/swagger';
import * as bson from 'bson';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import * as mongoose from 'mongoose';
import * as rxjs from 'rxjs';
import * as rxjsOperators from 'rxjs/operators';
import * as zod from 'zod';
import { SHARED_MODULES } from '#libs/plugins';
import * as pluginApi from '../plugin-api/index.js';

/**
 * By the names that plugins import. Loaded for plugins only: in the bundle it keeps every export of these
 * packages.
 */
const MODULES: Readonly<Record<string, object>> = {
  'herald/plugin': pluginApi,
  '@nestjs/common': nestCommon,
  '@nestjs/core': nestCore,
  '@nestjs/event-emitter': nestEvents,
  '@nestjs/mongoose': nestMongoose,
  '@nestjs/swagger': nestSwagger,
  bson,
  'class-transformer': classTransformer,
  'class-validator': classValidator,
  mongodb: { ...mongoose.mongo, default: mongoose.mongo },
  mongoose,
  'reflect-metadata': {},
  rxjs,
  'rxjs/operators': rxjsOperators,
  zod,
};

Reflect.set(globalThis, Symbol.for(SHARED_MODULES), MODULES);

export const SHARED_EXPORTS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(MODULES).map(([specifier, module]) => [specifier, Object.keys(module)]),
);
