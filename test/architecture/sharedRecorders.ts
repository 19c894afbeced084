// The rule that a fake bank must not record its calls in an array that all tests of a file share, because a refresh of an earlier
// test would appear in a later one.
import ts from 'typescript';
import type { Sources } from './sources.ts';

/** The functions of a connector and of an open reading. */
const bankFunctions = new Set(['signIn', 'answer', 'challengeAction', 'accounts', 'read', 'history', 'end']);

/** The name of a function, or of the property or variable that holds it. */
const nameOf = (node: ts.SignatureDeclaration): string | undefined =>
  (node.name ?? (node.parent as ts.NamedDeclaration).name)?.getText();

/** True if all tests of a file or of a `describe` share a variable: only callbacks of `describe` surround it. */
const isShared = (node: ts.Node): boolean => {
  for (let around = node.parent; around; around = around.parent) {
    if (!ts.isFunctionLike(around)) continue;
    const call = around.parent;
    if (!ts.isCallExpression(call) || !/^describe/.test(call.expression.getText())) return false;
  }
  return true;
};

const visit = (node: ts.Node, found: (node: ts.Node) => void): void => {
  found(node);
  node.forEachChild((child) => visit(child, found));
};

/** The lines of a file on which a function of a bank pushes to a shared array, or to an array in a shared object. */
const linesOf = (text: string): number[] => {
  const file = ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true);
  const shared = new Set<string>();
  const lines = new Set<number>();
  visit(file, (node) => {
    if (!ts.isVariableDeclaration(node) || !node.initializer || !isShared(node)) return;
    if (/\[\]/.test(node.initializer.getText())) shared.add(node.name.getText());
  });
  visit(file, (node) => {
    if (!ts.isFunctionLike(node) || !bankFunctions.has(nameOf(node) ?? '')) return;
    visit(node, (inside) => {
      if (!ts.isCallExpression(inside)) return;
      const [, variable] = /^(\w+)(?:\.\w+)*\.push$/.exec(inside.expression.getText()) ?? [];
      if (shared.has(variable ?? ''))
        lines.add(file.getLineAndCharacterOfPosition(inside.getStart()).line + 1);
    });
  });
  return [...lines];
};

/** A fake bank records calls in a map by user or connection, or in a variable of one test. */
export const sharedRecorders = (sources: Sources): string[] =>
  [...sources]
    .filter(([path, text]) => /\.test\.tsx?$/.test(path) && text.includes('.push('))
    .flatMap(([path, text]) => linesOf(text).map((line) => `${path}:${line} records calls of all tests`));
