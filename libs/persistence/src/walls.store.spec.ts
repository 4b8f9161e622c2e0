import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MongooseModule, Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import type { Schema as MongooseSchema } from 'mongoose';
import { workerStore } from '../../../test/harness/index.js';
import { MongoModule } from './mongo.module.js';
import { defineSchema, TenantRecord } from './tenant.schema.js';
import { shared } from './walls.js';

/** As Nest's manual has it. */
@Schema()
class Note {
  @Prop()
  text: string;
}

@Schema()
class Memo extends TenantRecord {
  @Prop()
  text: string;
}

describe('A module with a model of its own', () => {
  const start = async (...models: (readonly [name: string, schema: MongooseSchema])[]): Promise<void> => {
    @Module({
      imports: [
        MongoModule.forRoot(workerStore(), { migrations: [], collections: [] }),
        MongooseModule.forFeature(models.map(([name, schema]) => ({ name, schema }))),
      ],
    })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
    await app.close();
  };

  it('should not start if every key would see its records, and say what to do', async () => {
    const plain = SchemaFactory.createForClass(Note);
    await expect(start([Note.name, plain], [Memo.name, defineSchema(Memo)])).rejects.toThrow(
      /^Every API key would see all records of Note, because .* extend TenantRecord, .* shared\(/,
    );
  });

  it('should start with records of environments, and with those that all share', async () => {
    await start([Memo.name, defineSchema(Memo)], [Note.name, shared(SchemaFactory.createForClass(Note))]);
    await start([Memo.name, SchemaFactory.createForClass(Memo)]);
  });
});
