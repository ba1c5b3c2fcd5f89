import type { CodeLanguage } from '../schemas.ts';
import type { Mistake } from './warnings.ts';

/** What this model writes for a kind of task: plain at first, with a mistake; right once a run showed the mistake, or a rule, an example or an experience warned of it. */
export interface Skill {
  /** Words of the task that set it off. */
  task: RegExp;
  first: Record<CodeLanguage, string>;
  repaired: Record<CodeLanguage, string>;
  /** What the first code gets wrong; null: nothing. */
  mistake: Mistake | null;
  /** What a run must have said, or an experience, before it knows better. */
  learnsFrom: RegExp;
  /** What the right side of an example must show, and its wrong side must not, to be of use. */
  shownBy: RegExp;
  approach: string;
}

export const PYTHON_DATA = 'import json\nimport sys\n\ndata = json.load(sys.stdin)\n';
export const JAVASCRIPT_DATA = "const data = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n";
