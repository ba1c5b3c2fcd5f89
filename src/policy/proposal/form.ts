/** What a sentence of policy never looks like, whatever it says: data of one task, a request, a chat, a page or a program that somebody planted. */
export interface FormPattern {
  pattern: RegExp;
  /** As the end of "It …". */
  does: string;
}

export const FORM: readonly FormPattern[] = [
  // markup, and whatever may be taken for a part of the prompt
  { does: 'has markup in it', pattern: /<\s*[/!?]?\s*[a-z][^<>]*>|<\s*\/?\s*[a-z][\w-]*\s*(?:$|[\s"'=][^<>]*$)|<<|>>|```|~~~|!?\[[^\]]*\]\(|&(?:#\w+|lt|gt|quot|amp);/iu },
  { does: 'has markup in it', pattern: /^\s*(?:#{1,6}(?:\s|\W)|>{1,3}\s|[-*_=]{3,}|\|)/mu },
  {
    does: 'speaks as a part of the prompt',
    pattern:
      /[[(]\s*(?:rule|notice|summary|system|inst|\/inst|example)\b[^\])]*[\])]|^\W{0,3}(?:system|assistant|user|human|developer|tool|ai|系统|用户|助手|开发者)\s*[:：]|\n\s*(?:system|assistant|user|human|developer|系统|用户|助手)\s*[:：]|<\|/iu,
  },
  // a sentence of policy speaks of the agent's work, not to anybody or of itself
  {
    does: 'is a request, not a rule',
    pattern: /^\W{0,3}(?:please|kindly|todo|p\.?s\.?|hey|hi|hello|dear|could you|can you|would you|what(?:'s| is)|how (?:do|can|to)|now,?)(?![\p{L}\p{N}])|\?\s*$/iu,
  },
  {
    does: 'is a request, not a rule',
    pattern:
      /!{2,}|\bimportant message\b|\bvery important\b|\b(?:note|message|attention|instructions?) (?:to|for|by|from) (?:the |any |all |a )?(?:\w+ )?(?:\w+ )?(?:ai|llm|assistants?|models?|agents?|software|systems?|automated|screening|reviewers?|recruiters?|experts?|evaluators?)\b/iu,
  },
  { does: 'speaks of one person', pattern: /(?<![\p{L}\p{N}])(?:I|I['’](?:m|ve|ll|d)|[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|ME|MY)(?![\p{L}\p{N}'’])/u },
  {
    does: 'dictates an answer',
    pattern:
      /\b(?:just|only|simply|instead|exactly|then|must|next,?)\W{0,3}(?:say|print|output|repeat|reply|respond|answer|write|echo)\b\s*(?:with\b)?\s*["'“‘:{<]|\b(?:repeat|say|print|echo) (?:the following|after|exactly)|\b(?:reply|respond|answer) (?:with )?only\b|\b(?:with )?only the following\b|\babsolutely nothing else\b|\bstart your (?:answer|reply|response)\b|\bcontinue the following\b|\bif (?:asked|questioned|challenged)\b|\bstrictly adhere\b|\bpwne?d\b/iu,
  },
  {
    does: 'dictates an answer',
    pattern:
      /\b(?:is|are) (?:clearly |definitely |certainly )?not (?:malicious|harmful|dangerous|suspicious)\b|\b(?:everything|all of it) is (?:safe|fine|ok(?:ay)?)\b|\bmost qualified\b|\b(?:score|rank|rate|recommend)\b.{0,30}\b(?:highest|best|first|top)\b/iu,
  },
  {
    does: 'asks for harm',
    pattern:
      /(?<!\b(?:never|not|don't|avoid|nothing|no)\b.{0,30})\b(?:write|say|generate|make|produce|tell|give|create)\b.{0,40}\b(?:offensive|harmful|hateful|racist|sexist|abusive|insulting|obscene|violent|illegal|malicious|toxic|derogatory)\b/iu,
  },
  // data of one task
  {
    does: 'names a mail address, a link or an account',
    pattern: /[\w.+-]+@[\w-]+\.\w+|\b(?:https?|ftp|file|data|javascript|vbscript):|\bwww\.|\b[A-Z]{2}\d{2}[ ]?[A-Z0-9]{4}[A-Z0-9 ]{6,}\b|\d(?:[ -]?\d){8,}/u,
  },
  // programs
  {
    does: 'has a program in it',
    pattern:
      /\b(?:drop|truncate|alter)\s+(?:table|database|index|view|schema|user)\b|\bdelete\s+from\s+\w+\b.*[;=]|\binsert\s+into\s+\w+\s*[(v]|\bunion\s+(?:all\s+)?select\b|\bselect\b[^.]*\b(?:from|case|when)\b[^.]*(?:;|--|=)|\bexec(?:ute)?\s*\(|\bwaitfor\s+delay\b|;\s*--|'\s*or\s+'?\d|--\s*$/iu,
  },
  {
    does: 'has a program in it',
    pattern:
      /__\w+__|\b(?:os|sys|subprocess|shutil|socket|child_process|requests?|urllib|builtins)\.\w+\s*\(|\b(?:eval|compile)\s*\(\s*[^)\s]|^\s*(?:import\s+\w[\w.]*\s*(?:;|$)|from\s+\w[\w.]*\s+import\b)|\bon\w+\s*=\s*\S|@\{|\$\{|\$\(|\{\{|\{%|\b(?:touch|rm|curl|wget|chmod|chown|sudo|bash|sh|nc|cat)\s+(?:-\w|\/|~|http)|&&|\|\|/iu,
  },
];

/** Letters that stand apart, or letters of two alphabets in one word: written so that a check does not read what a model reads. */
export const DISGUISED =
  /(?:(?<![\p{L}\p{N}])\p{L}[\s._*-]){5,}|(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}])[\p{L}\p{M}]{3,}/u;

/** The same in an output, which may be code: letters apart and Greek names are none there. */
export const DISGUISED_OUTPUT = /(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}])[\p{L}\p{M}]{3,}/u;
