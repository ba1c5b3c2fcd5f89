function run(property, { phrase }) {
  if (property !== 'clean') throw new Error('unknown property');
  if (typeof phrase !== 'string') throw new Error('wrong type');
  if (/\p{L}/u.test(phrase)) throw new Error('letters not permitted');
  if (/[^0-9\s().+-]/.test(phrase)) throw new Error('punctuations not permitted');
  const all = phrase.replace(/[^0-9]/g, '');
  if (all.length < 10) throw new Error('must not be fewer than 10 digits');
  if (all.length > 11) throw new Error('must not be greater than 11 digits');
  if (all.length === 11 && all[0] !== '1') throw new Error('11 digits must start with 1');
  const digits = all.slice(-10);
  for (const [name, digit] of [
    ['area', digits[0]],
    ['exchange', digits[3]],
  ]) {
    if (digit === '0') throw new Error(name + ' code cannot start with zero');
    if (digit === '1') throw new Error(name + ' code cannot start with one');
  }
  return digits;
}
