/**
 * What this model gets wrong on purpose, so that the loop has something to catch. Each is set off by words of the task and, where it can be, set
 * right by a correction: nothing is remembered between calls. Without such words it forgets the key metrics once.
 */
export interface Mistakes {
  /** Leaves the key metrics out of every draft: it takes a reader's dislike for an instruction. */
  neverWritesMetrics: boolean;
  /** Writes everything anew after each correction, and each time loses something else. */
  losesGoodParts: boolean;
  /** Adds a growth that nobody gave, until told. */
  inventsGrowth: boolean;
}

export function mistakesOf(text: string): Mistakes {
  return {
    neverWritesMetrics: /不(?:想|爱|要)?看(?:数字|指标)|\b(?:dislikes?|hates?|skips?) (?:figures|numbers|metrics)\b/i.test(text),
    losesGoodParts: /全部重写|从头重写|\bfrom scratch\b/i.test(text),
    inventsGrowth: /亮眼|好看的?数字|\bimpressive\b|\bimpress\b/i.test(text),
  };
}
