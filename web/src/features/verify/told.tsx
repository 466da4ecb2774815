/** Sentences that contain words of others. Right-to-left letters in them change the order of nothing else. */
import { createElement, Fragment } from 'react';

/** A word that we have not chosen: a name, an id, an address. */
interface Theirs {
  theirs: string;
}

/** A sentence, in parts. What is text is ours. */
export type Told = readonly (string | Theirs)[];

export const theirs = (word: string): Theirs => ({ theirs: word });

/** A sentence, written as a template. */
export function told(ours: TemplateStringsArray, ...others: (string | Theirs | Told)[]): Told {
  return ours.flatMap((text, at) => [text, others[at] ?? []].flat());
}

/** Sentences, one behind the other. */
export const inARow = (sentences: Told[]): Told => sentences.flatMap((sentence, at) => (at === 0 ? sentence : [' ', ...sentence]));

/** The letters only. */
export const lettersOf = (sentence: Told): string => sentence.map((part) => (typeof part === 'string' ? part : part.theirs)).join('');

/** A sentence as it is shown. */
export function Sentence({ children }: { children: Told }) {
  const parts = children.map((part) => (typeof part === 'string' ? part : createElement('bdi', null, part.theirs)));
  return createElement(Fragment, null, ...parts);
}
