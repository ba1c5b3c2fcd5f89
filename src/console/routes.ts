/** Which page an address shows. Pages are loaded when they are first shown. */
import type { ComponentType } from 'preact';
import type { IconName } from './components/icons.tsx';
import type { Texts } from './i18n/index.ts';
import { matchPath } from './match-path.ts';
import { may } from './state/session.ts';

/** A page gets the values of its address as props. */
export type Page = ComponentType<Record<string, string>>;

interface Route {
  pattern: string;
  /** Its entry in the navigation. */
  section: Section;
  load: () => Promise<{ default: unknown }>;
}

export type Section = 'inbox' | 'tasks' | 'overview' | 'report' | 'agents' | 'rules' | 'reviews' | 'chat';

interface SectionEntry {
  section: Section;
  path: string;
  icon: IconName;
  key: string;
  label: keyof Texts['shell'] & Section;
  /** Shown to those who may do this; left out: to everybody. */
  action?: string;
}

const sections: readonly SectionEntry[] = [
  { section: 'inbox', path: '/inbox', icon: 'inbox', key: 'g i', label: 'inbox' },
  { section: 'tasks', path: '/tasks', icon: 'tasks', key: 'g t', label: 'tasks' },
  { section: 'overview', path: '/overview', icon: 'overview', key: 'g o', label: 'overview' },
  { section: 'report', path: '/report', icon: 'report', key: 'g r', label: 'report', action: 'overview.read' },
  { section: 'agents', path: '/agents', icon: 'agents', key: 'g a', label: 'agents' },
  { section: 'rules', path: '/rules', icon: 'rules', key: 'g u', label: 'rules', action: 'rule.read' },
  { section: 'reviews', path: '/reviews', icon: 'reviews', key: 'g v', label: 'reviews', action: 'rule.read' },
  { section: 'chat', path: '/chat', icon: 'chat', key: 'g c', label: 'chat' },
];

const inbox = (): Promise<{ default: unknown }> => import('./pages/inbox/page.tsx');
const agents = (): Promise<{ default: unknown }> => import('./pages/agents/page.tsx');
const rules = (): Promise<{ default: unknown }> => import('./pages/rules/page.tsx');
const chat = (): Promise<{ default: unknown }> => import('./pages/chat/page.tsx');

const routes: readonly Route[] = [
  { pattern: '/', section: 'inbox', load: inbox },
  { pattern: '/inbox', section: 'inbox', load: inbox },
  { pattern: '/inbox/:taskId/:approvalId', section: 'inbox', load: inbox },
  { pattern: '/tasks', section: 'tasks', load: () => import('./pages/tasks/page.tsx') },
  { pattern: '/tasks/:taskId', section: 'tasks', load: () => import('./pages/task/page.tsx') },
  { pattern: '/overview', section: 'overview', load: () => import('./pages/overview/page.tsx') },
  { pattern: '/report', section: 'report', load: () => import('./pages/report/page.tsx') },
  { pattern: '/rules', section: 'rules', load: rules },
  { pattern: '/rules/:ruleId', section: 'rules', load: rules },
  { pattern: '/reviews', section: 'reviews', load: () => import('./pages/reviews/page.tsx') },
  { pattern: '/agents', section: 'agents', load: agents },
  { pattern: '/agents/:name', section: 'agents', load: agents },
  { pattern: '/chat', section: 'chat', load: chat },
  { pattern: '/chat/:sessionId', section: 'chat', load: chat },
];

/** Those that the person may look at. */
export function sectionsShown(): SectionEntry[] {
  return sections.filter(({ action }) => action === undefined || may(action));
}

export function findRoute(path: string): { route: Route; values: Record<string, string> } | null {
  for (const route of routes) {
    const values = matchPath(route.pattern, path);
    if (values) return { route, values };
  }
  return null;
}
