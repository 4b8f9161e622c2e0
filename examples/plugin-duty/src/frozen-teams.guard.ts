import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { defineError, defineSettings, z } from 'herald/plugin';

export const settings = defineSettings({
  DUTY_FROZEN_TEAMS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((team) => team !== '')),
});

export const TeamIsFrozen = defineError(
  403,
  'duty_team_frozen',
  (team: string) =>
    `Nobody may change who of the team '${team}' is on duty. Remove it from DUTY_FROZEN_TEAMS to change that.`,
  ['payments'],
);

/** A guard as in the manual of Nest. Those of Herald, for the key and its scopes, have been asked before. */
@Injectable()
export class FrozenTeamsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { params } = context.switchToHttp().getRequest<{ params: { team: string } }>();
    if (settings.get('DUTY_FROZEN_TEAMS').includes(params.team)) throw new TeamIsFrozen(params.team);
    return true;
  }
}
