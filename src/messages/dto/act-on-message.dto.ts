import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { IsFreeForm } from '#libs/http-kit';
import { ACTION_STATUSES, ACTION_TYPES, type ActionStatus, type ActionType } from '../message.enums.js';

export class ActOnMessageDto {
  /** `done` when the button was used, `pending` to take that back. */
  @ApiProperty({ enum: ACTION_STATUSES, example: 'done' })
  @IsIn(ACTION_STATUSES)
  status: ActionStatus;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Data to store with the action. Replaces what was stored before.',
    example: { choice: 'accepted' },
  })
  @IsOptional()
  @IsFreeForm()
  payload?: Record<string, unknown> | null;
}

export class ActionTypeParam {
  @ApiProperty({ enum: ACTION_TYPES, description: 'The button that was used.' })
  @IsIn(ACTION_TYPES)
  type: ActionType;
}
