export { createDirectory } from './create-directory.js';
