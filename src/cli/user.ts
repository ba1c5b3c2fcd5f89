import { userInfo } from 'node:os';
import { ROLES } from '../contracts/reasons.ts';

/** Whoever runs commands beside the database may do everything with it. */
export const ALL_ROLES: string[] = [...ROLES];

/** Who decides, unless `--by` says otherwise: the account's name. */
export function currentUser(): string {
  try {
    return userInfo().username || 'cli';
  } catch {
    return 'cli'; // an account without an entry in the user database
  }
}
