/** A stream of numbers in [0, 1) that a seed decides: the same in every run and on every replay. */
export type Random = () => number;

/** sfc32 (C. Doty-Humphrey, PractRand): 128 bits of state, seeded through splitmix32. Not for secrets. @param seed any integer */
export function seededRandom(seed: number): Random {
  let mixed = seed | 0;
  const next = (): number => {
    mixed = (mixed + 0x9e37_79b9) | 0;
    let t = mixed ^ (mixed >>> 16);
    t = Math.imul(t, 0x21f0_aaad);
    t ^= t >>> 15;
    t = Math.imul(t, 0x735a_2d97);
    return t ^ (t >>> 15);
  };
  let [a, b, c, d] = [next(), next(), next(), next()];
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4_294_967_296;
  };
}
