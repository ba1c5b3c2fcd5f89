import type { CodeLanguage, CodeRepairOutput } from '../schemas.ts';
import { knownRepair } from './known-repairs.ts';
import { DEAF, SKILLS } from './programs.ts';
import type { Skill } from './skill.ts';
import { feedbackOf, type View } from './view.ts';
import { isMisled, isWarned, wantsHeading } from './warnings.ts';

type Given = (code: string, approach: string, used?: string[]) => CodeRepairOutput;

/** The code that this model answers with: a function of the conversation alone. */
export function writeCode(view: View): CodeRepairOutput {
  const { task, lessons } = view;
  const feedback = feedbackOf(view);
  const isImpossible = (text: string): boolean => /NoSandbox/.test(text);
  const language: CodeLanguage = task.language === 'python' && (isImpossible(feedback) || lessons.some(({ text }) => isImpossible(text))) ? 'javascript' : task.language;
  const skill = SKILLS.find((each) => each.task.test(task.task));
  const given: Given = (code, approach, used = []) => ({ language, code, approach, lessons: used });
  if (DEAF.test(task.task)) return given(task.code ?? skill?.first[language] ?? nothing(language), 'Answers with the code as it stands.');
  if (task.code !== undefined && (language === task.language || !skill)) {
    const repair = knownRepair(task.code, feedback);
    if (repair) return given(repair.code, 'Changes the one place from which the failing result came.');
    return skill && knowsBetter(skill, view, feedback) ? given(skill.repaired[language], skill.approach) : given(task.code, 'Runs the given code first, to see what it does.');
  }
  return skill ? withHeading(view, fromSkill(skill, view, language, feedback, given)) : given(nothing(language), 'This model does not know how to do that.');
}

function fromSkill(skill: Skill, view: View, language: CodeLanguage, feedback: string, given: Given): CodeRepairOutput {
  const { task, lessons } = view;
  const helpful = lessons.filter(({ text }) => text.includes(`${task.language} code:`) && skill.learnsFrom.test(text)).slice(0, 1);
  const recalls = helpful.length > 0 && !misled(skill, view);
  if (!recalls && !knowsBetter(skill, view, feedback)) return given(skill.first[language], 'The plain way.');
  return given(
    skill.repaired[language],
    skill.approach,
    helpful.map(({ id }) => id),
  );
}

/** A run showed the mistake, or the prompt warned of it. */
function knowsBetter(skill: Skill, view: View, feedback: string): boolean {
  if (skill.learnsFrom.test(feedback)) return true;
  const { mistake } = skill;
  if (mistake === null || misled(skill, view)) return false;
  const isShown = view.examples.some(({ situation, wrong, right }) => skill.task.test(situation) && skill.shownBy.test(right) && !skill.shownBy.test(wrong));
  return isShown || isWarned(view.sentences, mistake);
}

function misled({ mistake }: Skill, { sentences }: View): boolean {
  return mistake !== null && isMisled(sentences, mistake);
}

/** A heading that a rule asks for spoils the result of a program; once a run showed that, it is left out. */
function withHeading({ task, sentences, corrections }: View, output: CodeRepairOutput): CodeRepairOutput {
  if (task.entryPoint !== undefined || corrections.length > 0 || !wantsHeading(sentences)) return output;
  const line = output.language === 'python' ? "print('Result:')" : "console.log('Result:');";
  return { ...output, code: `${line}\n${output.code}` };
}

function nothing(language: CodeLanguage): string {
  return language === 'python' ? 'pass\n' : ';\n';
}
