/** How an attempt's run ended, as far as its reward goes. */
export interface RunEnd {
  /** `refused`: the screen, or no sandbox, kept it from running. */
  status: 'right' | 'wrong' | 'unchecked' | 'no_output' | 'error' | 'timeout' | 'refused';
  /** Of the tests, 0..1; of a program's output 0 or 1. */
  share: number;
  /** The last attempt, and not right. */
  gaveUp: boolean;
}

/** Right output, and then it did not end. */
const RIGHT_THEN_TIMED_OUT = 0.25;

/**
 * −2 gave up after the last attempt; −1 error, refusal or timeout (right output printed, then timed out: 0.25); 0 no output; 0.5 it runs but is not
 * right, or nobody can say; 1 exactly right. The share of tests passed is a figure of its own and does not enter.
 */
export function rewardOf({ status, share, gaveUp }: RunEnd): number {
  if (status === 'right') return 1;
  if (gaveUp) return -2;
  switch (status) {
    case 'timeout':
      return share >= 1 ? RIGHT_THEN_TIMED_OUT : -1;
    case 'error':
    case 'refused':
      return -1;
    case 'no_output':
      return 0;
    case 'wrong':
    case 'unchecked':
      return 0.5;
  }
}
