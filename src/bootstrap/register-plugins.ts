import { registerInTree } from './plugin-host/index.js';
import PLUGINS from '../plugins.js';

// Imported before all modules of the application: validation and documents read lists that plugins extend.
registerInTree(PLUGINS);
