/** What is loaded when somebody connects a provider. */
export { IntegrationPage } from './integration-page.js';
