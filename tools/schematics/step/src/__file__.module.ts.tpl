import { Module } from '@nestjs/common';
import { __Name__Step } from './__file__.step.js';

@Module({ providers: [__Name__Step] })
export class __Name__Module {}
