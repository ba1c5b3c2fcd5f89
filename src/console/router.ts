/** Where the page is: the address, without reloading. */
import { signal } from '@preact/signals';

export interface Place {
  path: string;
  query: URLSearchParams;
}

const read = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

/** The address now; reading it in a component follows it. */
export const place = signal<Place>(read());

/** Goes to a path of the console. @param replace: the page before it is not kept in the browser's history */
export function navigate(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  const before = place.value.path;
  place.value = read();
  if (place.value.path !== before) scrollTo(0, 0);
}

/** Puts values into the query of the address, or takes them out (null, empty), without a new entry in the browser's history. */
export function setQuery(values: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(location.pathname + (text === '' ? '' : `?${text}`), { replace: true });
}

addEventListener('popstate', () => (place.value = read()));

// Plain links to the console's own pages change the address only. What belongs to the gateway (`/docs`, `/v1`) is loaded as ever.
document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest?.('a[data-page]');
  if (!(link instanceof HTMLAnchorElement) || link.target) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});
