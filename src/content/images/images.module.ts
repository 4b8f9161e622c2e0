import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Image, ImageSchema } from './image.schema.js';
import { ImageFilesController } from './image-files.controller.js';
import { ImagesController } from './images.controller.js';
import { ImagesService } from './images.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: Image.name, schema: ImageSchema }])],
  controllers: [ImagesController, ImageFilesController],
  providers: [ImagesService],
  exports: [ImagesService],
})
export class ImagesModule {}
