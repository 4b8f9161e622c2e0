export { readPath } from './read-path.js';
