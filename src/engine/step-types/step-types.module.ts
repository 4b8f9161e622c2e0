import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/index.js';
import { StepTypesController } from './step-types.controller.js';

@Module({ imports: [DeliveryModule], controllers: [StepTypesController] })
export class StepTypesModule {}
