export { QuestionPage } from './question-page.js';
export { QuestionsPage } from './questions-page.js';
