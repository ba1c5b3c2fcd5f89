function run(property, { value }) {
  if (property !== 'valid') throw new Error('unknown property');
  if (typeof value !== 'string') throw new Error('wrong type');
  const digits = value.split(' ').join('');
  if (digits.length < 2 || !/^[0-9]+$/.test(digits)) return false;
  let sum = 0;
  for (let fromRight = 0; fromRight < digits.length; fromRight += 1) {
    const digit = Number(digits[digits.length - 1 - fromRight]);
    const doubled = fromRight % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
