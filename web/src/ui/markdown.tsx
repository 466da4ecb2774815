import { Fragment, type ReactNode } from 'react';
import type { Token, Tokens } from 'marked';
import { filled, WORDS } from '../lib/lists';
import { DocumentLink, TextLink } from './text-link';

interface MarkdownProps {
  tokens: Token[];
  /** The words for `{name}` in the text, besides those of the lists. */
  values?: Record<string, string>;
}

/** The sections of a text, by the titles that they begin with. */
export function sectionsOf(tokens: Token[]): { title: string; tokens: Token[] }[] {
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading') return [];
    const end = tokens.findIndex(({ type }, later) => later > at && type === 'heading');
    return [{ title: (token as Tokens.Heading).text, tokens: tokens.slice(at + 1, end === -1 ? undefined : end) }];
  });
}

const NONE = {};
/** What other documents and files of the server are below. */
const DOCUMENT = /^\/(verify|prove|log|api)\b/;

/** A text in Markdown: sections, lists, strong words, and links. */
export function Markdown({ tokens, values = NONE }: MarkdownProps) {
  // oxlint-disable-next-line react/no-array-index-key -- the parts of a fixed text
  return tokens.map((token, at) => <Fragment key={at}>{rendered(token, values)}</Fragment>);
}

function rendered(token: Token, values: Record<string, string>): ReactNode {
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
    case 'em':
      return <em>{inside(token.tokens)}</em>;
    case 'link': {
      const { href } = token as Tokens.Link;
      const Link = DOCUMENT.test(href) ? DocumentLink : TextLink;
      return <Link to={href}>{inside(token.tokens)}</Link>;
    }
    case 'text':
      return 'tokens' in token ? inside(token.tokens) : filled((token as Tokens.Text).text.replaceAll('\n', ' '), { ...WORDS, ...values });
    default:
      return null;
  }
}
