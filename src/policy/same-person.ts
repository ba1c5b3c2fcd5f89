/** One person may be known by two spellings, from a key and from an issuer: where two people are needed, these are one. */
export function isSamePerson(one: string, other: string): boolean {
  return folded(one) === folded(other);
}

function folded(subject: string): string {
  return subject
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cf}]+/gu, '');
}
