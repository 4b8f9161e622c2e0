import { Module } from '@nestjs/common';
import { NotServedRoutes } from './not-served-routes.js';

@Module({ providers: [NotServedRoutes] })
export class NotServedModule {}
