/** Which page an address shows. Pages are loaded when they are first shown. */
import type { ComponentType } from 'preact';
import type { IconName } from './components/icons.tsx';
import type { Texts } from './i18n/index.ts';
import { matchPath } from './match-path.ts';

/** A page gets the values of its address as props. */
export type Page = ComponentType<Record<string, string>>;

interface Route {
  pattern: string;
  /** Its entry in the navigation. */
  section: Section;
  load: () => Promise<{ default: unknown }>;
}

export type Section = 'inbox' | 'tasks' | 'overview' | 'agents' | 'chat';

export const sections: readonly { section: Section; path: string; icon: IconName; key: string; label: keyof Texts['shell'] & Section }[] = [
  { section: 'inbox', path: '/inbox', icon: 'inbox', key: 'g i', label: 'inbox' },
  { section: 'tasks', path: '/tasks', icon: 'tasks', key: 'g t', label: 'tasks' },
  { section: 'overview', path: '/overview', icon: 'overview', key: 'g o', label: 'overview' },
  { section: 'agents', path: '/agents', icon: 'agents', key: 'g a', label: 'agents' },
  { section: 'chat', path: '/chat', icon: 'chat', key: 'g c', label: 'chat' },
];

const inbox = (): Promise<{ default: unknown }> => import('./pages/inbox/page.tsx');
const agents = (): Promise<{ default: unknown }> => import('./pages/agents/page.tsx');
const chat = (): Promise<{ default: unknown }> => import('./pages/chat/page.tsx');

const routes: readonly Route[] = [
  { pattern: '/', section: 'inbox', load: inbox },
  { pattern: '/inbox', section: 'inbox', load: inbox },
  { pattern: '/inbox/:taskId/:approvalId', section: 'inbox', load: inbox },
  { pattern: '/tasks', section: 'tasks', load: () => import('./pages/tasks/page.tsx') },
  { pattern: '/tasks/:taskId', section: 'tasks', load: () => import('./pages/task/page.tsx') },
  { pattern: '/overview', section: 'overview', load: () => import('./pages/overview/page.tsx') },
  { pattern: '/agents', section: 'agents', load: agents },
  { pattern: '/agents/:name', section: 'agents', load: agents },
  { pattern: '/chat', section: 'chat', load: chat },
  { pattern: '/chat/:sessionId', section: 'chat', load: chat },
];

export function findRoute(path: string): { route: Route; values: Record<string, string> } | null {
  for (const route of routes) {
    const values = matchPath(route.pattern, path);
    if (values) return { route, values };
  }
  return null;
}
