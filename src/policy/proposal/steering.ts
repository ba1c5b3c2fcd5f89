/**
 * Words by which a text would steer an agent past what holds it: approvals, permissions, evaluators, instructions, secrets. Told by their form, in
 * Chinese and English; a prohibition ("never skip the review") is no such text. They refuse what is plain; what is subtle is for the
 * reviewer and the experiment.
 */
export interface SteeringPattern {
  pattern: RegExp;
  /** What a text that matches does, as the end of "It …". */
  does: string;
}

/** Between two words of one clause. */
const NEAR = String.raw`[^.;!?\n]{0,40}?`;
const CONTROLS = String.raw`(?:approv(?:als?|ers?|ing|e)|review(?:s|ers?|ing)?|permissions?|authori[sz]ations?|evaluat(?:ors?|ions?|ing)|judges?|verif(?:ications?|ying|y)|guards?|guardrails?|safety|safeguards?|polic(?:y|ies)|consent|sign-?offs?|oversight|human|confirmations?|four eyes|quality (?:checks?|gates?)|(?:security|safety|policy|compliance|refund|fraud|identity|approval) (?:checks?|limits?))`;
const SKIPPING = String.raw`(?:skip(?:s|ping|ped)?|bypass(?:es|ing)?|by-pass|ignor(?:e|es|ing)|disregard(?:s|ing)?|overrid(?:e|es|ing)|omit(?:s|ting)?|disabl(?:e|es|ing)|turn(?:ing)? off|switch(?:ing)? off|circumvent(?:s|ing)?|evad(?:e|es|ing)|waiv(?:e|es|ing)|exempt(?:s|ed)?|dodg(?:e|es|ing)|suppress(?:es|ing)?|forgo(?:es|ing)?|go(?:es|ing)? around|get(?:ting)? around|work(?:ing)? around)`;
/** Directly before a verb that these turn into a prohibition. */
const NOT = String.raw`(?<!\b(?:never|not|don't|doesn't|cannot|can't|mustn't|shouldn't|won't|avoid|without|nor|or)\s(?:ever\s|to\s|just\s|simply\s|automatically\s)?)`;
const REFUND = String.raw`(?:refunds?|repayments?|compensations?|reimbursements?|payouts?|payments?|discounts?|vouchers?|coupons?|credits?|money|transfers?)`;
const GRANTABLE = String.raw`(?:${REFUND.slice(3, -1)}|approvals?|permissions?|access|rights?|privileges?|roles?|requests?|exceptions?|returns?|transactions?|claims?|everything|anything|tool calls?|actions?)`;
const ALL = String.raw`(?:always|automatically|immediately|instantly|unconditionally|at once|right away|regardless|no matter|every(?:one|body|thing)?|any(?:one|body|thing)?|all|whoever|whenever|without)`;
const INSTRUCTIONS = String.raw`(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?|system messages?|polic(?:y|ies)|constraints?|restrictions?|limits?|context|(?:info(?:rmation)?|text) (?:above|before))`;

const english: [does: string, source: string][] = [
  ['skips what holds an agent', String.raw`${NOT}\b${SKIPPING}\b${NEAR}\b${CONTROLS}\b`],
  [
    'skips what holds an agent',
    String.raw`\b${CONTROLS}\b[^.;,!?\n]{0,20}?\b(?:(?:is|are|be) (?:not|never) (?:needed|required|necessary)|(?:is|are) (?:unnecessary|optional)|isn't (?:needed|required|necessary)|aren't (?:needed|required|necessary)|(?:can|may|should) be (?:skipped|ignored|bypassed|omitted|waived|disregarded))`,
  ],
  [
    'skips what holds an agent',
    String.raw`\b(?:no|without|needs? no|don't need|do not need|not require|no need (?:for|of|to)|never (?:ask|wait|check|seek|request)|(?:don't|do not|not) (?:ask|wait|seek|request|await))\b(?! (?:more|later) than)[^.;,!?\n]{0,24}?\b(?:approvals?|approvers?|reviews?|reviewers?|permissions?|authori[sz]ations?|evaluators?|evaluations?|sign-?offs?|oversight|supervisors?|managers?|human (?:review|approval|check|oversight))\b(?! (?:never|do not|don't|nothing))`,
  ],
  [
    'grants what people grant',
    String.raw`${NOT}(?<!\bonly )\b(?:auto-?)?(?:approv(?:e|es)|grant(?:s)?|authori[sz](?:e|es)|rubber-stamp(?:s)?|green-?light(?:s)?|pre-?approv(?:e|es))\b${NEAR}\b${GRANTABLE}\b`,
  ],
  [
    'grants what people grant',
    String.raw`${NOT}\b(?:allow|permit|give|hand out|assign)s?\b[^.;,!?\n]{0,24}?\b(?:permissions?|admin(?:istrator)?|root|access|privileges?|exceptions?)\b`,
  ],
  [
    'grants refunds',
    String.raw`${NOT}\b(?:always|automatically|immediately|instantly|unconditionally|simply|just)\s+(?:offer|promise|give|issue|process|pay|make|send|confirm|submit|accept|execute|refund|reimburse|compensate)\b`,
  ],
  [
    'grants refunds',
    String.raw`${NOT}\b(?:offer|promise|give|issue|process|pay|make|send|confirm|submit|accept|execute|refund|reimburse|compensate)\b[^.;!?\n]{0,24}?\b(?:${REFUND}\b${NEAR}\b${ALL}|${ALL}\b[^.;,!?\n]{0,24}?\b${REFUND})\b`,
  ],
  ['grants refunds', String.raw`^\s*refund\b`],
  ['grants refunds', String.raw`\bnever\s+(?:refuse|deny|reject|decline|question)\b${NEAR}\b${GRANTABLE}\b`],
  [
    'decides for the evaluators',
    String.raw`${NOT}\b(?:mark|treat|count|rate|score|judge|grade|report|consider|accept)\b${NEAR}\b(?:as (?:passed|passing|approved|verified|evaluated|reviewed)|full marks|(?:a )?(?:perfect|top|maximum|full) score|(?:score of )?100(?: ?%| points| out of)|already (?:passed|approved))`,
  ],
  [
    'sets instructions aside',
    String.raw`${NOT}\b(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:s|ting)?|overrid(?:e|es|ing)|drop|discard|neglect|violate|break)\b${NEAR}\b(?:i\w{0,2}nstructions?|${INSTRUCTIONS.slice(3)}`,
  ],
  ['sets instructions aside', String.raw`\b(?:ignore|disregard)\b${NEAR}\b(?:everything|anything|all)\b${NEAR}\b(?:above|before|previous|prior|else|except|said)\b`],
  [
    'sets instructions aside',
    String.raw`\b(?:override|jailbreak|developer mode|god mode|dan mode|unrestricted mode)\s*:|\b(?:admin(?:istrator)?|root|developer|system) (?:override|mode|command)\b`,
  ],
  [
    'reveals what is secret',
    String.raw`${NOT}\b(?:reveal|disclose|leak|expose|show|print|output|repeat|display|share|send|tell|include|quote|translate|encode|give|write)s?\b${NEAR}\b(?:system prompts?|prompts?|instructions?|system configuration|secrets?|passwords?|passphrases?|credentials?|api keys?|private keys?|signing keys?|tokens?|environment variables?|credit card|cvv|ssn|iban)\b`,
  ],
  [
    'reveals what is secret',
    String.raw`\b(?:system|initial|hidden|original|developer|secret) (?:prompts?|instructions?|messages?|configuration)\b|\bmy instructions\b|\bthe (?:text|words|content|message) (?:above|you were given)|\b(?:text|words|prompt) you were given\b`,
  ],
];

const SKIP_ZH =
  '(?:无需|无须|毋须|不需要?|不用|不必|无(?=审|批|授)|免除?|跳过|绕过|绕开|避开|略过|忽略|忽视|无视|不理会|省略|省去|关闭|停用|禁用|取消|规避|不经过?|未经|不等待?|别等|不要等待?|不再|没有?必要)';
const CONTROL_ZH =
  '(?:审批|批准|审核|复核|评审|审查|审阅|许可|权限|授权|评估器?|评测器?|评价器?|评判|检查|校验|核查|核实|核验|验证|质检|风控|人工(?:确认|审批|审核|复核)?|主管|上级|确认|护栏|安全(?:限制|规则|策略|检查)|政策|规则|指令|指示|限制)';
const NOT_ZH = '(?<!(?:不要|不得|不能|不可|不许|不应|不准|切勿|请勿|勿|禁止|严禁|避免|杜绝|绝不|决不|从不|别)(?:擅自|随意|自行|直接)?)';
const GRANT_ZH = '(?:批准|同意|通过|退款|退钱|退费|赔付|赔偿|补偿|打款|转账|授权|放行|准许|允许)';

const chinese: [does: string, source: string][] = [
  [
    'skips what holds an agent',
    `${NOT_ZH}${SKIP_ZH}(?:任何|所有|一切|再|进行|经过?|等待?|做|走|向|的|人工|额外|客户|用户|请求|申请){0,4}${CONTROL_ZH}(?![^，。；,;]{0,8}(?:不得|不能|不可|不要|不应|禁止|严禁|切勿))`,
  ],
  ['skips what holds an agent', `${CONTROL_ZH}[^，。；,;]{0,6}(?:可以?|应该?|都|均|一律)?(?:跳过|省略|忽略|略过|绕过|免除|取消|关闭|不需要|无需|不必)`],
  [
    'grants what people grant',
    `${NOT_ZH}(?:一律|一概|总是|始终|永远|直接|自动|立即|立刻|马上|即刻|全部|全都|无条件|都|均|默认|随时)(?:予以|给予?|为?(?:客户|用户|顾客|他们|其)|办理|发起|进行|执行|全额|可以?|要|应当?|应该|先行?|就|会){0,4}${GRANT_ZH}`,
  ],
  [
    'grants what people grant',
    `${NOT_ZH}(?:批准|同意|授予|放行|准许|通过(?=所有|任何|全部|一切|每))(?:给|了|其|该|客户|用户|顾客|所有|任何|全部|一切|每[笔个位次]|一切|的){0,4}(?:退款|退货|退费|申请|审批|权限|请求|授权|赔付|补偿|订单|转账|操作)`,
  ],
  [
    'grants what people grant',
    `(?:所有|任何|全部|一切|每[笔个位次]|凡是?)[^，。；,;]{0,12}(?:都|均|一律|一概|全部|应当?|可以?|直接|自动|给予?|予以){1,3}(?:办理|全额)?${GRANT_ZH}`,
  ],
  ['grants what people grant', `(?:不得|不要|不能|绝不|从不|永不|别)(?:拒绝|驳回|质疑)[^，。；,;]{0,8}(?:退款|退货|退费|赔付|补偿|申请|请求|授权)`],
  ['decides for the evaluators', `${NOT_ZH}(?:标记|视|当作?|评|判定?|记|打|给)[^，。；,;]{0,6}(?:为|成|作|出)?(?:已?通过|合格|满分|一百分|100 ?分|已审核|已批准)`],
  [
    'sets instructions aside',
    `${NOT_ZH}(?:忽略|无视|忘记|忘掉|不要理会|不用理会|别管|不要遵守|不遵守|不必遵守|违反|推翻|覆盖)[^，。；,;]{0,10}(?:指令|指示|说明|提示词?|规则|规定|要求|限制|政策|约束|上文|以上|上述|之前|先前|前面)`,
  ],
  [
    'reveals what is secret',
    `${NOT_ZH}(?:泄露|泄漏|透露|公开|输出|打印|显示|展示|告诉|告知|发送|提供|重复|复述|说出|写出)[^，。；,;]{0,12}(?:系统提示|提示词|密钥|密码|口令|令牌|凭证|凭据|秘密|机密|内部指令|系统指令|初始指令|api ?key|token)`,
  ],
];

export const STEERING: readonly SteeringPattern[] = [...english, ...chinese].map(([does, source]) => ({ does, pattern: new RegExp(source, 'iu') }));
