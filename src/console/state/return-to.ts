/** Where a person wanted to go before they had to sign in; kept for this tab. */
const NAME = 'loopwright.return-to';

export function rememberPlace(): void {
  if (location.pathname === '/sign-in') return;
  try {
    sessionStorage.setItem(NAME, location.pathname + location.search);
  } catch {
    // Storage may be switched off: then it is the inbox.
  }
}

/** That place, once; else the inbox. */
export function takePlace(): string {
  try {
    const place = sessionStorage.getItem(NAME);
    sessionStorage.removeItem(NAME);
    return place?.startsWith('/') && !place.startsWith('//') ? place : '/inbox';
  } catch {
    return '/inbox';
  }
}
