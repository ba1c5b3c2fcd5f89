import { Badge } from './components/badge.tsx';
import { Icon } from './components/icons.tsx';
import { SafeText } from './components/safe-text.tsx';
import { Segments } from './components/segments.tsx';
import { explain } from './components/states.tsx';
import { toast } from './components/toasts.tsx';
import { language, LANGUAGES, setLanguage, t } from './i18n/index.ts';
import { sectionsShown, type Section } from './routes.ts';
import { principal } from './state/session.ts';
import { signOut } from './state/sign-in.ts';
import { helpOpen } from './state/shortcuts.ts';
import { setTheme, theme, THEMES } from './state/theme.ts';
import { waitingForMe } from './state/approvals.ts';
import { zone } from './text/numbers.ts';

export function Sidebar({ section }: { section: Section | null }) {
  return (
    <div id="sidebar" class="sidebar">
      <a class="brand" href="/inbox" data-page>
        <img src="/loopwright.svg" alt="" />
        Loopwright
      </a>
      <nav class="navigation" aria-label={t().shell.navigation}>
        {sectionsShown().map((entry) => (
          <a key={entry.section} href={entry.path} data-page aria-current={entry.section === section ? 'page' : undefined}>
            <Icon name={entry.icon} />
            {t().shell[entry.label]}
            {entry.section === 'inbox' && waitingForMe.value > 0 && (
              <span class="counter">
                <Badge tone="accent" title={t().shell.waiting(waitingForMe.value)}>
                  {waitingForMe.value}
                </Badge>
              </span>
            )}
          </a>
        ))}
      </nav>
      <Foot />
    </div>
  );
}

function Foot() {
  const who = principal();
  const leave = (): Promise<void> => signOut().catch((error: unknown) => toast('bad', explain(error)));
  return (
    <div class="sidebar-foot">
      <div class="row">
        <Segments
          label={t().shell.language}
          options={LANGUAGES.map((id) => ({ id, label: id === 'en' ? 'English' : '中文', lang: id === 'en' ? 'en' : 'zh-CN' }))}
          selected={language.value}
          onSelect={setLanguage}
        />
      </div>
      <div class="row">
        <Segments label={t().shell.theme} options={THEMES.map((id) => ({ id, label: t().shell.themes[id] }))} selected={theme.value} onSelect={setTheme} />
      </div>
      <span class="zone">{t().shell.timesIn(zone())}</span>
      <div class="row">
        <a href="/docs" target="_blank" rel="noreferrer">
          {t().shell.apiDocs}
        </a>
        <button type="button" class="button push" data-kind="plain" data-size="small" aria-label={t().shell.shortcuts} onClick={() => (helpOpen.value = true)}>
          <kbd>?</kbd>
        </button>
      </div>
      {who && (
        <div class="row">
          <Icon name="person" />
          <span class="grow cut" title={who.roles.join(', ')}>
            <SafeText text={who.subject} oneLine />
          </span>
          <button type="button" class="button" data-kind="plain" data-size="small" onClick={() => void leave()}>
            {t().shell.signOut}
          </button>
        </div>
      )}
    </div>
  );
}
