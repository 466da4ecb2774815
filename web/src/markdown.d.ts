/** What `build/markdown.ts` makes of a text. */
declare module '*.md' {
  const tokens: import('marked').Token[];
  export default tokens;
}
