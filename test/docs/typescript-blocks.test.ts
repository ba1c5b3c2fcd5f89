/** Every TypeScript block of the documents compiles against the code as it is. */
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { applyInsert } from './example-files.ts';
import { codeBlocks, documents, readDocument, root } from './markdown.ts';

/** Blocks as files: where their `file=` says, else at the root of the repository. */
function virtualFiles(): Map<string, string> {
  const files = new Map<string, string>();
  for (const block of documents.flatMap(codeBlocks).filter(({ language }) => language === 'ts')) {
    const { file, insert } = block.attributes;
    if (insert) files.set(join(root, insert), applyInsert(files.get(join(root, insert)) ?? readDocument(insert), block.text));
    else files.set(join(root, file ?? `${block.document.replaceAll(/\W/g, '-')}-line-${block.line}.ts`), block.text);
  }
  return files;
}

/** Messages as `path:line: text`, of these files alone. */
function problemsOf(files: Map<string, string>): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [...files.keys()], include: [] }, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, directoryExists } = host;
  const folders = new Set([...files.keys()].map((path) => dirname(path)));
  host.fileExists = (path) => files.has(path) || fileExists.call(host, path);
  host.readFile = (path) => files.get(path) ?? readFile.call(host, path);
  host.directoryExists = (path) => folders.has(path) || (directoryExists?.call(host, path) ?? true);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files.keys()].flatMap((path) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => {
      const line = diagnostic.file && diagnostic.start !== undefined ? diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start).line + 1 : 0;
      return `${relative(root, path)}:${line}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
    });
  });
}

it('compile, and a wrong one would not', () => {
  const files = virtualFiles();
  expect(files.size).toBeGreaterThan(7);
  const wrong = join(root, 'wrong.ts');
  const problems = problemsOf(
    new Map([...files, [wrong, "import { Loopwright } from './src/client.ts';\ndeclare const loopwright: Loopwright;\nvoid loopwright.start('support', { mesage: 'x' });\n"]]),
  );
  expect(problems.filter((problem) => !problem.startsWith('wrong.ts'))).toEqual([]);
  expect(problems.filter((problem) => problem.startsWith('wrong.ts:3'))).toHaveLength(1);
});
