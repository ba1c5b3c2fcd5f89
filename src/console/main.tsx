import './styles/index.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { startLanguage } from './i18n/start-language.ts';
import { findRoute } from './routes.ts';
import { startTheme } from './state/theme.ts';

// While the gateway is asked who this is, the page is loaded already.
void findRoute(location.pathname)
  ?.route.load()
  .catch(() => {});
startLanguage();
startTheme();
render(<App />, document.getElementById('console')!);
