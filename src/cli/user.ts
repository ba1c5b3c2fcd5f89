import { userInfo } from 'node:os';

/** Who decides, unless `--by` says otherwise: the account's name. */
export function currentUser(): string {
  try {
    return userInfo().username || 'cli';
  } catch {
    return 'cli'; // an account without an entry in the user database
  }
}
