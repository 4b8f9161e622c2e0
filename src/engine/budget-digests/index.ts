export { BudgetDigestsModule } from './budget-digests.module.js';
