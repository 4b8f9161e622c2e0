export { QuestionPagesModule } from './question-pages.module.js';
