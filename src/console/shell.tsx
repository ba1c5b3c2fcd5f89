/** What is around every page: navigation, the page itself, messages, help. */
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { Icon } from './components/icons.tsx';
import { PageView } from './components/page-view.tsx';
import { ShortcutsHelp } from './components/shortcuts-help.tsx';
import { Toasts } from './components/toasts.tsx';
import { useShortcuts } from './components/use-shortcuts.ts';
import { t } from './i18n/index.ts';
import { navigate, place } from './router.ts';
import { findRoute, sectionsShown } from './routes.ts';
import { Sidebar } from './sidebar.tsx';
import { followApprovals } from './state/approvals.ts';
import { startFeed } from './state/feed.ts';
import { helpOpen } from './state/shortcuts.ts';

export function Shell() {
  const menuOpen = useSignal(false);
  const found = findRoute(place.value.path);
  useShortcuts([
    ...sectionsShown().map(({ key, path, label }) => ({ key, label: () => t().shell.goTo(t().shell[label]), run: () => navigate(path) })),
    { key: '?', label: () => t().shell.shortcuts, run: () => (helpOpen.value = true) },
  ]);
  useEffect(() => {
    const stops = [followApprovals(), startFeed()];
    return () => stops.forEach((stop) => stop());
  }, []);
  useLayoutEffect(() => {
    menuOpen.value = false;
  }, [place.value.path]);
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') menuOpen.value = false;
    };
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, []);
  return (
    <div class="shell" data-menu={menuOpen.value ? 'open' : 'shut'}>
      <a class="skip" href="#content">
        {t().shell.skip}
      </a>
      <header class="topbar">
        <button type="button" class="icon-button" aria-label={t().shell.menu} aria-expanded={menuOpen.value} aria-controls="sidebar" onClick={() => (menuOpen.value = true)}>
          <Icon name="menu" />
        </button>
        <span class="brand">
          <img src="/loopwright.svg" alt="" />
          Loopwright
        </span>
      </header>
      <div class="scrim" onClick={() => (menuOpen.value = false)} />
      <Sidebar section={found?.route.section ?? null} />
      <main id="content" class="content" tabIndex={-1}>
        <PageView found={found} />
      </main>
      <Toasts />
      <ShortcutsHelp />
    </div>
  );
}
