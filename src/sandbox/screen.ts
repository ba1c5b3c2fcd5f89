import type { Language, SandboxRun, ScreenFinding } from './run.ts';
import { JAVASCRIPT_MODULES, RULES } from './screen/rules.ts';
import { scan, type Scanned } from './screen/scan.ts';

const MAX_TEXT = 200;
const MAX_FINDINGS = 20;
/** Longer lines are not code that a person or a model wrote; the patterns look at this much of each. */
const MAX_LINE = 2_000;
const SOURCE_FILE: Record<Language, RegExp> = { python: /\.py$/, javascript: /\.[cm]?js$/ };

/**
 * What a run should not try, found by reading: it tells the model early and in words. It is no boundary: whatever it misses meets the sandbox.
 * Code that only mentions such things in comments passes.
 */
export function screen(run: SandboxRun): ScreenFinding[] {
  const sources = Object.entries(run.files ?? {}).filter(([name]) => SOURCE_FILE[run.language].test(name));
  return [['main', run.code] as const, ...sources].flatMap(([file, text]) => screenText(file, text, run.language)).slice(0, MAX_FINDINGS);
}

function screenText(file: string, text: string, language: Language): ScreenFinding[] {
  const lines = text.split('\n');
  const scanned = scan(text, language);
  const found = new Map<string, ScreenFinding>();
  const add = (type: ScreenFinding['type'], line: number, fix: string) => {
    const key = `${type} ${line}`;
    if (!found.has(key)) found.set(key, { type, file, line, text: (lines[line - 1] ?? '').trim().slice(0, MAX_TEXT), fix });
  };
  for (const rule of RULES[language]) {
    if (rule.where === 'code')
      scanned.code.forEach((code, index) => {
        if (rule.pattern.test(code.slice(0, MAX_LINE))) add(rule.type, index + 1, rule.fix);
      });
    else for (const { line, text: content } of scanned.strings) if (rule.pattern.test(content.slice(0, MAX_LINE))) add(rule.type, line, rule.fix);
  }
  if (language === 'javascript') screenModules(scanned, add);
  return [...found.values()].toSorted((a, b) => a.line - b.line);
}

const IMPORTS = /\b(?:import|require|from)\b|\bexport\b.*\bfrom\b/;

function screenModules(scanned: Scanned, add: (type: ScreenFinding['type'], line: number, fix: string) => void): void {
  for (const { line, text } of scanned.strings) {
    if (!IMPORTS.test(scanned.code[line - 1] ?? '')) continue;
    for (const { type, pattern, fix } of JAVASCRIPT_MODULES) if (pattern.test(text)) add(type, line, fix);
  }
}
