import { locale } from '../i18n/index.ts';
import type { Moment } from './numbers.ts';

/** Local time of day with its zone, for places where the day is clear: `14:05:09 GMT+8`. */
export function clockTime(moment: Moment): string {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short' }).format(new Date(moment));
}
