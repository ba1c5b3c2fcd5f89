/** Where personal data stands in a case: by the names of fields, and by how it looks in text. What looks like nothing and stands under no such name is not found. */

export type PersonalKind = 'mail' | 'phone' | 'name' | 'address' | 'id' | 'number';
export interface Found {
  kind: PersonalKind;
  text: string;
}

const FIELDS: [PersonalKind, RegExp][] = [
  ['mail', /^(?:e_?mail|mail)(?:_?address)?$/i],
  ['phone', /^(?:(?:mobile|cell|home|work|contact)_?)?(?:phone|tel|telephone|mobile|fax)(?:_?(?:number|no))?$/i],
  [
    'name',
    /^(?:(?:customer|user|full|first|last|middle|given|family|recipient|contact|owner|sender|buyer|display|nick|person|employee|patient|account_?holder)_?name|surname|recipient|addressee)$/i,
  ],
  ['address', /^(?:(?:home|shipping|delivery|billing|postal|street|mailing)_?)?(?:address|street)(?:_?line)?_?\d?$/i],
  ['id', /^(?:customer|user|account|member|client|person|patient|employee)_?(?:id|no|number)$/i],
  ['number', /^(?:passport|id_?card|identity|ssn|social_?security|iban|card|bank_?account|licen[cs]e_?plate)(?:_?(?:id|no|number))?$/i],
];
/** `name` and `id` are a person's inside of one of these, or beside a mail, a phone or an address. */
const PERSON = /^(?:customer|user|contact|recipient|person|buyer|sender|owner|member|patient|employee|account_?holder|author)s?$/i;

/** What a field's name says that it holds; null: nothing personal. */
function kindOfField(name: string, inside: string | null, beside: readonly string[]): PersonalKind | null {
  const known = FIELDS.find(([, pattern]) => pattern.test(name))?.[0];
  if (known) return known;
  if (!/^(?:name|id)$/i.test(name)) return null;
  const isPerson = (inside !== null && PERSON.test(inside)) || beside.some((other) => ['mail', 'phone', 'address'].includes(kindOfField(other, null, []) ?? ''));
  return isPerson ? (/^name$/i.test(name) ? 'name' : 'id') : null;
}

const WORD = String.raw`\p{Lu}[\p{L}'’-]+`;
const NAME = String.raw`${WORD}(?: ${WORD}){0,3}`;
const BEFORE = String.raw`(?<![\p{L}\p{N}])`;

/** The whole match is personal, or its group `it`. */
const PATTERNS: [PersonalKind, RegExp][] = [
  ['mail', /[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu],
  ['phone', /(?<![\p{Script=Latin}\p{N}.+])\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){2,5}(?![\p{Script=Latin}\p{N}])/gu],
  ['phone', /(?<![\p{Script=Latin}\p{N}.])1[3-9]\d(?:[ -]?\d{4}){2}(?![\p{N}])/gu],
  ['phone', /(?<![\p{Script=Latin}\p{N}.])0\d{2,3}-\d{7,8}(?![\p{N}])/gu],
  ['phone', /(?<![\p{Script=Latin}\p{N}.])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\p{Script=Latin}\p{N}])/gu],
  ['phone', /(?:\b(?:phone|tel|mobile|call me (?:at|on))|电话|手机号?)\s*(?:number)?\s*(?:is|是|为)?[:：]?\s*(?<it>\+?\d[\d ().-]{5,17}\d)/giu],
  // identity and bank cards
  ['number', /(?<![\p{Script=Latin}\p{N}])\d{6}(?:19|20)\d{9}[\dX](?![\p{Script=Latin}\p{N}])/giu],
  ['number', /(?<![\p{Script=Latin}\p{N}.])(?:\d{4}[ -]){3}\d{4}(?![\p{N}])/gu],
  ['number', /(?<![\p{Script=Latin}\p{N}.-])(?:[2-6]\d{15}|3[47]\d{13})(?![\p{Script=Latin}\p{N}-])/gu],
  ['number', /(?<![\p{Script=Latin}\p{N}.-])\d{3}-\d{2}-\d{4}(?![\p{Script=Latin}\p{N}-])/gu],
  ['number', /(?<![\p{Script=Latin}\p{N}])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?(?![\p{Script=Latin}\p{N}])/gu],
  ['name', new RegExp(String.raw`${BEFORE}(?:[Mm]y name is|[Mm]y name’s|[Mm]y name's|I am called|[Tt]his is|[Nn]ame:)\s+(?<it>${NAME})`, 'gu')],
  ['name', new RegExp(String.raw`${BEFORE}(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? (?<it>${NAME})`, 'gu')],
  ['name', new RegExp(String.raw`(?:[Rr]egards|[Ss]incerely|[Tt]hanks|[Cc]heers|[Yy]ours),?\s*\n\s*(?<it>${NAME})\s*$`, 'gu')],
  ['name', /(?:我叫|我的名字(?:是|叫)|本人姓名|姓名[:：是]|收件人[:：是]|收货人[:：是])\s*(?<it>[\p{Script=Han}·]{2,4})(?=$|[^\p{Script=Han}·])/gu],
  [
    'address',
    /(?!住|在|寄|送|到|我|地址|请)[\p{Script=Han}]{2,9}(?:省|市|区|县)[\p{Script=Han}\p{N}]{2,30}?(?:号|室|栋|单元|楼)(?:[\p{N}\p{Script=Han}]{0,8}(?:室|号|楼|单元|栋))?/gu,
  ],
  [
    'address',
    new RegExp(String.raw`${BEFORE}\d{1,5}[A-Za-z]? (?:${WORD} ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Boulevard|Blvd|Square|Terrace)\b\.?`, 'gu'),
  ],
];

/** What looks personal in a text. */
function findInText(text: string): Found[] {
  return PATTERNS.flatMap(([kind, pattern]) => [...text.matchAll(pattern)].map((match) => ({ kind, text: (match.groups?.['it'] ?? match[0]).trim() })));
}

/** Everything personal in a value, by the names of its fields and in all its texts. */
export function findPersonal(value: unknown, inside: string | null = null): Found[] {
  if (typeof value === 'string') return findInText(value);
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap((item) => findPersonal(item, inside));
  const names = Object.keys(value);
  return Object.entries(value).flatMap(([name, field]) => {
    const kind = kindOfField(
      name,
      inside,
      names.filter((other) => other !== name),
    );
    const texts = kind === null ? [] : (Array.isArray(field) ? field : [field]).filter((item) => typeof item === 'string' || typeof item === 'number');
    const own = texts.flatMap((text): Found[] => (String(text).trim().length < 2 ? [] : [{ kind: kind!, text: String(text).trim() }]));
    return [...own, ...findInText(name), ...findPersonal(field, name)];
  });
}
