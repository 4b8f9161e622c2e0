import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { PreferencesModule } from '../preferences/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { AddressSuppressions } from './address-suppressions.js';
import { ListedAddress, ListedAddressSchema } from './listed-address.schema.js';
import { ListedAddresses } from './listed-addresses.js';
import { SuppressionReads } from './suppression-reads.js';
import { SuppressionTelemetry } from './suppression-telemetry.js';
import { SuppressionsController } from './suppressions.controller.js';
import { SuppressionsService } from './suppressions.service.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: ListedAddress.name, schema: ListedAddressSchema }]),
    SubscribersModule,
    PreferencesModule,
  ],
  controllers: [SuppressionsController],
  providers: [AddressSuppressions, ListedAddresses, SuppressionReads, SuppressionTelemetry, SuppressionsService],
  exports: [AddressSuppressions],
})
export class SuppressionsModule {}
