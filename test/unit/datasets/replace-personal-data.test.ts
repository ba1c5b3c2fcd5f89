import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReplacer } from '../../../src/datasets/replace-personal-data.ts';
import { hashArguments } from '../../../src/tools/canonical-json.ts';

const letters = (min: number, max: number) => fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'), { minLength: min, maxLength: max }).map((each) => each.join(''));
// no text around a name has a q: what is found of it is left of it
const word = letters(2, 8).map((text) => `Q${text}`);
const latinName = fc.tuple(word, word).map((parts) => parts.join(' '));
const hanName = fc.array(fc.constantFrom(...'王李张刘陈杨赵黄周吴徐孙马朱胡林郭何高罗'), { minLength: 2, maxLength: 3 }).map((each) => each.join(''));
const digits = (length: number) => fc.array(fc.constantFrom(...'0123456789'), { minLength: length, maxLength: length }).map((each) => each.join(''));
const phone = fc.oneof(
  digits(9).map((rest) => `13${rest}`),
  fc.tuple(digits(3), digits(4)).map(([middle, end]) => `+44 20 7${middle} ${end}`),
  fc.tuple(digits(2), digits(2), digits(4)).map(([area, middle, end]) => `(5${area}) 5${middle}-${end}`),
);
const mail = fc.tuple(letters(2, 8), letters(2, 8), letters(2, 6)).map(([user, host, end]) => `${user}.${host}@${host}.${end}`);

describe('personal data of a case', () => {
  it('no mail, phone number or name survives, in fields, texts or keys; the same one becomes the same', () => {
    fc.assert(
      fc.property(mail, phone, fc.oneof(latinName, hanName), digits(6), (email, number, name, id) => {
        const input = { message: `Hello, call ${number} or write to ${email}.\nRegards,\n${name}`, customerName: name, customerId: `C9${id}` };
        const result = { contact: { name, email, phone: number }, log: [`${name} <${email}> rang from ${number}`, `seen: C9${id}`], [email]: 1 };
        const replacer = createReplacer([input, result]);
        const [newInput, newResult] = [replacer.value(input), replacer.value(result)];
        const text = JSON.stringify([newInput, newResult]).toLowerCase();
        for (const original of [email, number, name, `C9${id}`, ...name.split(' ')]) expect(text).not.toContain(original.toLowerCase());
        expect(newResult.contact.name).toBe(newInput.customerName);
        expect(newInput.message).toContain(newResult.contact.email);
        expect(newInput.message).toContain(newResult.contact.phone);
        expect(newResult.log[1]).toBe(`seen: ${newInput.customerId}`);
      }),
      { numRuns: 100 },
    );
  });

  it('arguments that repeat the words of the input still match after both were replaced', () => {
    const input = { message: 'My name is Ada Byron, send it to 12 Long Lane, ada@byron.org.', customerId: 'C100' };
    const call = { to: 'Ada Byron', note: 'for Ada Byron of 12 Long Lane (ada@byron.org)', customerId: 'C100' };
    const replacer = createReplacer([input, call]);
    expect(replacer.value(input)).toEqual({ message: 'My name is Person A, send it to 1 Example Street, person1@example.com.', customerId: 'C001' });
    const asked = { to: 'Person A', note: 'for Person A of 1 Example Street (person1@example.com)', customerId: 'C001' };
    expect(hashArguments(replacer.value(call))).toBe(hashArguments(asked));
    expect(replacer.count).toBe(4);
  });

  it('finds what is written in Chinese', () => {
    const input = { message: '我叫王小明，手机13812345678，住在浙江省杭州市西湖区文三路90号，身份证110101199003071234。' };
    const { message } = createReplacer([input]).value(input);
    expect(message).toBe('我叫某甲，手机13000000001，住在示例路1号，身份证000000000000000001。');
  });

  it('leaves orders, amounts, dates, code and product names alone', () => {
    const value = {
      message: 'Order A007 of 2026-06-10 costs 129.50 USD, tracking DHL4471203398; 1 2 3 4 5 6 7 8 9.',
      items: [{ sku: 'SKU-BOOTS', name: 'Hiking boots', quantity: 1 }],
      total: 12_950,
      code: 'def mean(numbers):\n    return sum(numbers) / len(numbers)\n',
      at: '2026-06-10T12:34:56.789Z',
    };
    expect(createReplacer([value]).value(value)).toEqual(value);
  });

  it('a name that an invented one would hold takes another; numbers and secrets go too', () => {
    const value = { customerName: 'Person', phone: 13_812_345_678, apiKey: 'abc-secret', note: 'Bearer abcdefghij0123' };
    const replaced = createReplacer([value]).value(value);
    expect(replaced.customerName).not.toMatch(/person/i);
    expect(replaced).toMatchObject({ phone: 13_000_000_001, apiKey: '[redacted]', note: 'Bearer [redacted]' });
  });
});

it.each(['4111111111111111', '371449635398431', '123-45-6789', 'DE89370400440532013000', 'GB29 NWBK 6016 1331 9268 19'])(
  'a card, account or social security number is replaced as it is written: %s',
  (number) => {
    const replaced = createReplacer([`It is ${number}, thanks.`]).text(`It is ${number}, thanks.`);
    expect(replaced).toMatch(/^It is .+, thanks\.$/);
    expect(replaced).not.toContain(number);
    // one that a tool counts by is none
    expect(createReplacer(['at 1767225600000']).text('at 1767225600000')).toBe('at 1767225600000');
  },
);
