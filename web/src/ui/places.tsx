import { createContext, useContext, type ReactNode } from 'react';

/**
 * How the first page comes from the components. The server writes it before any script runs, from a template that is made
 * when the app is built: the components are drawn once, with places for the words that only the server will know, and with
 * every alternative of what is one of a few. In a browser nothing of this is at work.
 */
export interface Template {
  /** Words that are the places of those names. */
  words: <Words extends object>() => Words;
  /** All alternatives, each under its name. */
  cases: <Value extends string>(name: string, among: readonly Value[], draw: (value: Value) => ReactNode) => ReactNode;
}

export const TemplateContext = createContext<Template | null>(null);

/** Text that the server writes into the first page as well. The names of the words are those of their places. */
export function useWords<Words extends object>(words: () => Words): Words {
  return useContext(TemplateContext)?.words<Words>() ?? words();
}

interface OneOfProps<Value extends string> {
  /** The name by which the server chooses. */
  name: string;
  among: readonly Value[];
  is: Value;
  children: (value: Value) => ReactNode;
}

/** What stands on the first page for a value that is one of a few, and that only the server will know. */
export function OneOf<Value extends string>({ name, among, is, children }: OneOfProps<Value>) {
  const template = useContext(TemplateContext);
  return template ? template.cases(name, among, children) : children(is);
}
