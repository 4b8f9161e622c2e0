/** What is loaded when somebody edits. */
export { EditorPage } from './editor-page.js';
export { VersionsPage } from './versions-page.js';
