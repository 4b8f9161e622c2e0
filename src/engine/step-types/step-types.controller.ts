import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ApiDataArray } from '#libs/http-kit';
import { STEP_TYPES } from '#libs/plugins';
import { showStepType, StepTypeResponse } from './step-type.response.js';

@ApiTags('Workflows')
@Controller({ path: 'step-types', version: '1' })
export class StepTypesController {
  /**
   * Lists the types of steps.
   * @remarks For editors of workflows: those of Herald and those of plugins, each with the form of its steps and the sentence
   * that describes one. They are the same in every environment, and change only when Herald is started anew.
   */
  @Get()
  @ApiDataArray(200, StepTypeResponse)
  listStepTypes(): StepTypeResponse[] {
    return STEP_TYPES.declarations.map(showStepType);
  }
}
