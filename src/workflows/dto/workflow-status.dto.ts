import { IsBoolean } from 'class-validator';

export class WorkflowStatusDto {
  /**
   * Only active workflows can be triggered.
   * @example true
   */
  @IsBoolean()
  active: boolean;
}
