import { Fragment, type ReactNode } from 'react';
import type { Token, Tokens } from 'marked';
import { TextLink } from './text-link';

interface MarkdownProps {
  tokens: Token[];
  /** The words for `{name}` in the text. */
  values: Record<string, string>;
}

/** A text in Markdown: sections, lists, strong words, and links inside the app. */
export function Markdown({ tokens, values }: MarkdownProps) {
  // oxlint-disable-next-line react/no-array-index-key -- the parts of a fixed text
  return tokens.map((token, at) => <Fragment key={at}>{rendered(token, values)}</Fragment>);
}

function rendered(token: Token, values: MarkdownProps['values']): ReactNode {
  const inside = (tokens: Token[] = []) => <Markdown tokens={tokens} values={values} />;
  switch (token.type) {
    case 'heading':
      return <h2 className="pt-5 text-xl font-semibold text-ink first:pt-0">{inside(token.tokens)}</h2>;
    case 'paragraph':
      return <p>{inside(token.tokens)}</p>;
    case 'list':
      return <ul className="list-disc pl-5">{inside((token as Tokens.List).items)}</ul>;
    case 'list_item':
      return <li className="mt-1">{inside(token.tokens)}</li>;
    case 'strong':
      return <strong className="text-ink">{inside(token.tokens)}</strong>;
    case 'link':
      return <TextLink to={(token as Tokens.Link).href}>{inside(token.tokens)}</TextLink>;
    case 'text':
      return 'tokens' in token ? inside(token.tokens) : filled((token as Tokens.Text).text, values);
    default:
      return null;
  }
}

const filled = (text: string, values: MarkdownProps['values']) => text.replaceAll('\n', ' ').replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '…');
