import { registerInTree } from './plugin-host/index.js';
import PLUGINS from '../plugins.js';

// Imported before the application: its validation and documents read lists that plugins extend.
registerInTree(PLUGINS);
