/** What each buggy program really did when it was run: its first failing test, as the run says it. A test runs them again. */
export const OBSERVED: Record<string, string> = {
  bucketsort: 'bucketsort([3,11,2,9,1,5], 12) gave [0,0,0,1,1,1,1,1,1,1,1,1,1,1,2,2,3,3,3,3,3,3,3,3,3,4,5,5,5,5,5]',
  flatten: 'flatten([[1,[],[2,3]],[[4]],5]) gave ["<generator>","<generator>","<generator>","<generator>","<generator>"]',
  gcd: 'gcd(13, 13) raised RecursionError',
  get_factors: 'get_factors(100) gave [2,2,5]',
  is_valid_parenthesization: 'is_valid_parenthesization("((") gave true',
  max_sublist_sum: 'max_sublist_sum([4,-5,2,1,-1,3]) gave 4',
  mergesort: 'mergesort([1,2,6,72,7,33,4]) raised RecursionError',
  next_permutation: 'next_permutation([3,2,4,1]) gave [3,1,2,4]',
  pascal: 'pascal(2) gave [[1],[1]]',
  quicksort: 'quicksort([3,1,4,1,5,9,2,6,5,3,5,8,9,7,9,3]) gave [1,2,3,4,5,6,7,8,9]',
  sieve: 'sieve(2) gave []',
  to_base: 'to_base(31, 16) gave "F1"',
};
