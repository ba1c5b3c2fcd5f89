import type { CodeLanguage } from '../schemas.ts';

const FUNCTION: Record<CodeLanguage, RegExp> = {
  python: /^(?:async\s+)?def\s+([A-Za-z_]\w*)/gm,
  javascript:
    /^(?:export\s+)?(?:async\s+)?(?:function\s*\*?\s*([A-Za-z_$][\w$]*)|(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function\b|\(|[A-Za-z_$][\w$]*\s*=>))/gm,
};

/** The last function at the left margin: helpers stand above what uses them. Null when there is none. */
export function lastFunction(code: string, language: CodeLanguage): string | null {
  const last = [...code.matchAll(FUNCTION[language])].at(-1);
  return last?.[1] ?? last?.[2] ?? null;
}
