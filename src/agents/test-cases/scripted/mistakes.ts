/**
 * What this model gets wrong on purpose, so that the loop has something to catch. Each is set off by words of the requirement; nothing is remembered
 * between calls.
 */
export interface Mistakes {
  /** The first draft leaves boundaries and half of the points out and counts its cases from zero. */
  happyPathFirst: boolean;
  /** Gets one expected result wrong in the first draft. */
  estimates: boolean;
  /** Answers every issue by writing its words into a case. */
  echoes: boolean;
  /** Writes everything anew each time: better, then worse. */
  rewrites: boolean;
  /** Changes a case that was to be kept, once. */
  tidiesUp: boolean;
  /** Answers late. */
  isSlow: boolean;
}

export function mistakesOf(requirement: string): Mistakes {
  return {
    happyPathFirst: /\bhappy path first\b|先写正常流程/i.test(requirement),
    estimates: /\brough estimate\b|大致估计/i.test(requirement),
    echoes: /\bas the reviewer puts it\b|照评审的说法/i.test(requirement),
    rewrites: /\bfrom scratch each time\b|每次重写/i.test(requirement),
    tidiesUp: /\btidy up the wording\b|顺手润色/i.test(requirement),
    isSlow: /\btake your time\b|慢慢来/i.test(requirement),
  };
}
