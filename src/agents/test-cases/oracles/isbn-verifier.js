function run(property, { isbn }) {
  if (property !== 'isValid') throw new Error('unknown property');
  if (typeof isbn !== 'string') throw new Error('wrong type');
  const characters = isbn.split('-').join('');
  if (!/^[0-9]{9}[0-9X]$/.test(characters)) return false;
  let sum = 0;
  for (let place = 0; place < 10; place += 1) sum += (characters[place] === 'X' ? 10 : Number(characters[place])) * (10 - place);
  return sum % 11 === 0;
}
