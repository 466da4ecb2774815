type Words = Record<string, string | number>;

/** Fills a template in, as the server does. */
export function fill(template: string, page: Words, rows: Words[]): string {
  const pieces = template.split(/(\{\{.*?\}\})/s);
  let at = 0;
  const until = (words: Words, shown: boolean): string => {
    let text = '';
    for (let piece = pieces[at++]; piece !== undefined && piece !== '{{/}}'; piece = pieces[at++]) {
      const place = /^\{\{(\w+)(?:=(\w+))?\}\}$/.exec(piece);
      const [, name = '', value] = place ?? [];
      if (!place) text += piece;
      else if (value !== undefined) text += until(words, shown && word(words, name) === value);
      else if (name === 'each') {
        const begin = at;
        const all = (rows.length > 0 ? rows : [{}]).map((row) => {
          at = begin;
          return until({ ...words, ...row }, shown && rows.length > 0);
        });
        text += all.join('');
      } else text += shown ? escaped(word(words, name)) : '';
    }
    return shown ? text : '';
  };
  return until(page, true);
}

function word(words: Words, name: string): string {
  const found = words[name];
  if (found === undefined) throw new Error(`nothing is known of ${name}`);
  return String(found);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' };
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
