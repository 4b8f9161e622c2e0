import { DiscoveryService } from '@nestjs/core';
import { STEP_TYPES, type StepTypeDeclaration } from '#libs/plugins';

/** What a class carries out, for Nest's discovery. */
export const CarriesOut = DiscoveryService.createDecorator<StepTypeDeclaration>();

/** Makes a class the handler of a type of step, and the type known to everything that reads types. */
export function Step(declaration: StepTypeDeclaration): ClassDecorator {
  STEP_TYPES.addOwn(declaration);
  return CarriesOut(declaration);
}
