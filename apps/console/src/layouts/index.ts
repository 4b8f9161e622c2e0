/** What is loaded when somebody opens layouts. */
export { LayoutPage } from './layout-page.js';
export { LayoutsPage } from './layouts-page.js';
