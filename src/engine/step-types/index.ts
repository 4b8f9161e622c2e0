export { StepTypesModule } from './step-types.module.js';
