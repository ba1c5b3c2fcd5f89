import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { startLanguage } from './i18n/start-language.ts';
import { startTheme } from './state/theme.ts';

startLanguage();
startTheme();
render(<App />, document.getElementById('console')!);
