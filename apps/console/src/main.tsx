import { render } from 'preact';
import { App } from './app.js';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/pages.css';
import './styles/set-up.css';
import './styles/editor.css';
import './styles/canvas.css';
import './styles/catcher.css';

const place = document.getElementById('console');
if (place !== null) render(<App />, place);
