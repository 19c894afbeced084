// The rule that no fake bank of a test file notes its calls where every test of the file looks: a refresh of an earlier test would
// appear in a later one.
import ts from 'typescript';
import type { Sources } from './sources.ts';

/** The functions of a connector and of its reading. */
const bankFunctions = new Set(['signIn', 'answer', 'challengeAction', 'accounts', 'read', 'history', 'end']);

const isFunction = (node: ts.Node): boolean =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isMethodDeclaration(node);

/** The name under which a function stands in an object or a variable. */
const nameOf = (node: ts.Node): string | undefined => {
  const named = ts.isMethodDeclaration(node) ? node : node.parent;
  const isNamed =
    ts.isMethodDeclaration(named) || ts.isPropertyAssignment(named) || ts.isVariableDeclaration(named);
  return isNamed ? named.name.getText() : undefined;
};

/** Whether a variable belongs to all tests of a file or of a `describe`: no other function than a callback of `describe` is around it. */
const belongsToAllTests = (node: ts.Node): boolean => {
  for (let around = node.parent; around; around = around.parent) {
    if (!isFunction(around)) continue;
    const call = around.parent;
    if (!ts.isCallExpression(call) || !/^describe/.test(call.expression.getText())) return false;
  }
  return true;
};

const visit = (node: ts.Node, found: (node: ts.Node) => void): void => {
  found(node);
  node.forEachChild((child) => visit(child, found));
};

/** The lines of a file on which a function of a bank pushes to an array, or to one of an object, of all tests. */
const linesOf = (text: string): number[] => {
  const file = ts.createSourceFile('test.ts', text, ts.ScriptTarget.Latest, true);
  const shared = new Set<string>();
  const lines = new Set<number>();
  visit(file, (node) => {
    if (!ts.isVariableDeclaration(node) || !node.initializer || !belongsToAllTests(node)) return;
    if (/\[\]/.test(node.initializer.getText())) shared.add(node.name.getText());
  });
  visit(file, (node) => {
    if (!isFunction(node) || !bankFunctions.has(nameOf(node) ?? '')) return;
    visit(node, (inside) => {
      if (!ts.isCallExpression(inside)) return;
      const [, variable] = /^(\w+)(?:\.\w+)*\.push$/.exec(inside.expression.getText()) ?? [];
      if (shared.has(variable ?? ''))
        lines.add(file.getLineAndCharacterOfPosition(inside.getStart()).line + 1);
    });
  });
  return [...lines];
};

/** What a fake bank notes is kept by user or connection, in a map, or in a variable of one test. */
export const sharedRecorders = (sources: Sources): string[] =>
  [...sources]
    .filter(([path, text]) => /\.test\.tsx?$/.test(path) && text.includes('.push('))
    .flatMap(([path, text]) => linesOf(text).map((line) => `${path}:${line} notes a call for all tests`));
