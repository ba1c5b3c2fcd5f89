import type { CodeLanguage, CodeRepairOutput } from '../schemas.ts';
import { knownRepair } from './known-repairs.ts';
import { DEAF, SKILLS, type Skill } from './programs.ts';
import { feedbackOf, type View } from './view.ts';

/** The code that this model answers with: a function of the conversation alone. */
export function writeCode(view: View): CodeRepairOutput {
  const { task, lessons } = view;
  const feedback = feedbackOf(view);
  const isImpossible = (text: string): boolean => /NoSandbox/.test(text);
  const language: CodeLanguage = task.language === 'python' && (isImpossible(feedback) || lessons.some(({ text }) => isImpossible(text))) ? 'javascript' : task.language;
  const skill = SKILLS.find((each) => each.task.test(task.task));
  const given = (code: string, approach: string, used: string[] = []): CodeRepairOutput => ({ language, code, approach, lessons: used });
  if (DEAF.test(task.task)) return given(task.code ?? skill?.first[language] ?? nothing(language), 'Answers with the code as it stands.');
  if (task.code !== undefined && (language === task.language || !skill)) {
    const repair = knownRepair(task.code, feedback);
    if (repair) return given(repair.code, 'Changes the one place from which the failing result came.');
    return skill && skill.learnsFrom.test(feedback) ? given(skill.repaired[language], skill.approach) : given(task.code, 'Runs the given code first, to see what it does.');
  }
  return skill ? fromSkill(skill, view, language, feedback, given) : given(nothing(language), 'This model does not know how to do that.');
}

function fromSkill(
  skill: Skill,
  { task, lessons }: View,
  language: CodeLanguage,
  feedback: string,
  given: (code: string, approach: string, used?: string[]) => CodeRepairOutput,
): CodeRepairOutput {
  const helpful = lessons.filter(({ text }) => text.includes(`${task.language} code:`) && skill.learnsFrom.test(text)).slice(0, 1);
  if (helpful.length > 0 || skill.learnsFrom.test(feedback))
    return given(
      skill.repaired[language],
      skill.approach,
      helpful.map(({ id }) => id),
    );
  return given(skill.first[language], 'The plain way.');
}

function nothing(language: CodeLanguage): string {
  return language === 'python' ? 'pass\n' : ';\n';
}
