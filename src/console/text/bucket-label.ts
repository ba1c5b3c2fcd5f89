import { locale } from '../i18n/index.ts';

/** A day as the gateway counts days (UTC), or an hour of this browser's zone. */
export function bucketLabel(at: string, bucket: 'hour' | 'day'): string {
  const style: Intl.DateTimeFormatOptions = bucket === 'hour' ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { day: 'numeric', month: 'short', timeZone: 'UTC' };
  return new Intl.DateTimeFormat(locale(), style).format(new Date(at));
}
