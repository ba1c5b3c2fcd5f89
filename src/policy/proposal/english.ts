/** English words that would steer an agent past approvals, permissions, evaluators, instructions and secrets. */

/** A prohibition, or a condition, earlier in the clause. "Never hesitate to" is none. */
export const SPARED_ENGLISH =
  /\b(?:never|not(?! only)|don't|doesn't|cannot|can't|mustn't|shouldn't|won't|avoid|nor|no(?! (?:doubt|matter|delay|hesitation|exceptions?|questions?))|nothing|nobody|neither|refuse to|(?<!not )only|before|instead of|rather than)\b(?!.*\b(?:hesitate|afraid|fail|forget|refrain|bother|delay|wait|neglect|stop)\b)/iu;

const NEAR = String.raw`[^.;!?\n。；！？]{0,40}?`;
const CLOSE = String.raw`[^.;,!?\n，。；！？]{0,24}?`;
const PEOPLE = String.raw`(?:person|people|humans?|somebody|someone|anyone|anybody|colleagues?|staff|supervisors?|managers?|approvers?|reviewers?|admins?|administrators?)`;
const CONSENT = String.raw`(?:approvals?|reviews?|permissions?|authori[sz]ations?|evaluat(?:ors?|ions?)|sign-?offs?|oversight|consent|confirmation by|${PEOPLE.slice(3)}`;
const CONTROLS = String.raw`(?:approv(?:als?|ers?|ing|e)|review(?:s|ers?|ing)?|permissions?|authori[sz]ations?|evaluat(?:ors?|ions?|ing)|judges?|verif(?:ications?|ying|y)|guards?|guardrails?|safety|safeguards?|polic(?:y|ies)|consent|sign-?offs?|oversight|human|confirmations?|four eyes|quality (?:checks?|gates?)|(?:security|safety|policy|compliance|refund|fraud|identity|approval) (?:checks?|limits?))`;
const SKIP = String.raw`(?:skip(?:s|ping|ped)?|bypass(?:es|ing|ed)?|by-pass|ignor(?:e|es|ing|ed)|disregard(?:s|ing|ed)?|overrid(?:e|es|ing)|omit(?:s|ting|ted)?|disabl(?:e|es|ing|ed)|(?:turn|switch)(?:ing|s)? off|circumvent(?:s|ing)?|evad(?:e|es|ing)|waiv(?:e|es|ing|ed)|exempt(?:s|ed)?|dodg(?:e|es|ing)|suppress(?:es|ing)?|forgo(?:es|ing)?|dispens(?:e|ing) with|do without|(?:go|get|work)(?:es|s|ing|ting)? around)`;
const MONEY = String.raw`(?:refunds?|repayments?|compensations?|reimbursements?|payouts?|payments?|discounts?|vouchers?|coupons?|credits?|money|transfers?)`;
const GRANTABLE = String.raw`(?:approvals?|permissions?|access|rights?|privileges?|roles?|requests?|exceptions?|returns?|transactions?|claims?|orders?|customers?|everything|anything|everyone|anyone|tool calls?|actions?|${MONEY.slice(3)}`;
const GIVE = String.raw`(?:offer|promise|give|issue|process|pay|make|send|confirm|submit|accept|execute|refund|reimburse|compensate|credit)`;
const ALL = String.raw`(?:always|automatically|immediately|instantly|unconditionally|at once|right away|regardless|no matter|every(?:one|body|thing)?|any(?:one|body|thing)?|all|whoever|whenever|without)`;
const INSTRUCTIONS = String.raw`(?:i\w{0,2}nstructions?|prompts?|(?:your |these |those |all |any |the |previous |earlier |other )rules?|guidelines?|directions?|directives?|system messages?|polic(?:y|ies)|constraints?|restrictions?|(?:information|text|context) (?:above|before))`;
const SECRETS = String.raw`(?:prompts?|instructions?|system configuration|secrets?|passwords?|passphrases?|credentials?|api keys?|private keys?|signing keys?|access tokens?|bearer tokens?|environment variables?|credit cards?|card numbers?|cvv|ssn)`;

const SKIPS = 'skips what holds an agent';
const GRANTS = 'grants what people grant';
const JUDGES = 'decides for the evaluators or for people';
const FORGETS = 'sets instructions aside';
const REVEALS = 'reveals what is secret';

const sources: [does: string, source: string][] = [
  [SKIPS, String.raw`\b${SKIP}\b${NEAR}\b${CONTROLS}\b`],
  [SKIPS, String.raw`\b${SKIP}\s+(?:all|any|every|the|these|those|further|other|its|your)\s+(?:\w+\s)?(?:checks?|validations?|tests?\s*(?:$|[.;,]))`],
  [
    SKIPS,
    String.raw`\b(?:${CONTROLS}|checks?)\b[^.;,!?\n]{0,20}?\b(?:(?:is|are|be) (?:not|never) (?:needed|required|necessary)|(?:is|are) (?:unnecessary|optional)|(?:isn't|aren't) (?:needed|required|necessary)|(?:can|may|should|must|to) be (?:skipped|ignored|bypassed|omitted|waived|disregarded|overridden|disabled))`,
  ],
  [SKIPS, String.raw`\bwithout\s+(?:any |a |the |first |further |prior |waiting for |asking for |asking |checking with |consulting )*(?:\w+\s)?${CONSENT}\b`],
  [
    SKIPS,
    String.raw`\b(?:needs?|requires?|takes?|with) no\s+(?:\w+\s)?${CONSENT}\b|\bno\s+(?:\w+\s)?${CONSENT}\b[^.;,]{0,16}\b(?:needed|required|necessary)\b|\bno need\b${CLOSE}\b${CONSENT}\b`,
  ],
  [
    SKIPS,
    String.raw`\b(?:never|don't|do not|does not|doesn't|need not|not)\s+(?:need(?:ed)?|require|ask|wait|seek|request|await|check|consult|involve|have)\b${CLOSE}\b${CONSENT}\b`,
  ],
  [
    GRANTS,
    String.raw`\b(?:auto-?\s?|pre-?)?(?:approv(?:e|es|ing)|grant(?:s|ing)?|authori[sz](?:e|es|ing)|rubber-?stamp(?:s|ing)?|green-?light(?:s|ing)?)\b${NEAR}\b${GRANTABLE}\b`,
  ],
  [GRANTS, String.raw`\b(?:allow|permit|give|hand out|assign)s?\b${CLOSE}\b(?:permissions?|admin(?:istrator)?|root|access|privileges?|exceptions?)\b`],
  [GRANTS, String.raw`\b(?:always|automatically|immediately|instantly|unconditionally|simply|just)\s+${GIVE}\b${CLOSE}\b${MONEY}\b`],
  [GRANTS, String.raw`\b(?:always|automatically|immediately|instantly|unconditionally|simply|just)\s+(?:approve|refund|reimburse|compensate|grant|authori[sz]e)\b`],
  [GRANTS, String.raw`\b${GIVE}\b${CLOSE}\b(?:${MONEY}\b${NEAR}\b${ALL}|${ALL}\b${CLOSE}\b${MONEY}|full ${MONEY})\b`],
  [
    GRANTS,
    String.raw`(?<=^\s*|[.;,:!?\n，。；：！？、]\s*)refund\s+(?!requests?|polic|amounts?|status|dates?|rules?|or\b|ids?\b)\w|\brefund(?:s|ing)?\s+(?:every|all|any|each|everyone|anyone|whoever)\b|\b${MONEY}\b[^.;,!?\n]{0,16}\b(?:is|are|be) (?:always|automatically|immediately)\b`,
  ],
  [GRANTS, String.raw`\bnever\s+(?:refuse|deny|reject|decline|question)\b${NEAR}\b${GRANTABLE}\b`],
  [
    JUDGES,
    String.raw`\b(?:mark|treat|count|rate|score|judge|grade|report|consider|accept|regard|declare)s?\b${NEAR}\b(?:as (?:\w+ )?(?:passed|passing|approved|verified|evaluated|reviewed|authori[sz]ed)|full marks|(?:a )?(?:perfect|top|maximum|full) (?:score|marks)|(?:score of )?100(?: ?%| points| out of)|already (?:passed|approved))`,
  ],
  [
    JUDGES,
    String.raw`\b(?:assume|pretend|imagine|believe|presume|take it|act as (?:if|though))\b${NEAR}\b(?:approved|authori[sz]ed|permitted|passed|allowed|verified|reviewed|granted|(?:an? )?admin(?:istrator)?)\b`,
  ],
  [FORGETS, String.raw`\b(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:s|ting)?|overrid(?:e|es|ing)|drop|discard|neglect|violate|break)\b${NEAR}\b${INSTRUCTIONS}\b`],
  [FORGETS, String.raw`\b(?:ignore|disregard|forget)\b${NEAR}\b(?:everything|anything|all)\b${NEAR}\b(?:above|before|previous|prior|else|except|said|told)\b`],
  [FORGETS, String.raw`\b(?:override|jailbreak|developer mode|god mode|dan mode|unrestricted mode)\s*:|\b(?:admin(?:istrator)?|root|developer|system) (?:override|mode)\b`],
  [REVEALS, String.raw`\b(?:reveal|disclose|leak|expose|show|print|output|repeat|display|share|send|tell|include|quote|translate|encode|give|put)s?\b${NEAR}\b${SECRETS}\b`],
  [
    REVEALS,
    String.raw`\b(?:system|initial|hidden|original|developer|secret) (?:prompts?|instructions?|messages?)\b|\bsystem configuration\b|\bmy instructions\b|\bthe (?:text|words|content|messages?) (?:above|you were given)|\b(?:text|words|prompt) you were given\b`,
  ],
];

export const ENGLISH: readonly [does: string, pattern: RegExp][] = sources.map(([does, source]) => [does, new RegExp(source, 'giu')]);
