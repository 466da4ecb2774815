const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const attribute = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '');
/** Escapes Markdown. */
const plain = (text: string) => text.replaceAll(/[\\[\]*_`<>]/g, String.raw`\$&`);

/** Texts to copy into another page. `handle` is the name in addresses, `name` the shown one. */
export function copyTexts(handle: string, name: string, origin: string) {
  const query = new URLSearchParams({ u: handle }).toString();
  const link = `${origin}/leaderboard?${query}`;
  const badge = `${origin}/badge/${encodeURIComponent(handle)}.svg`;
  const title = `Proof of Reserves of ${name}`;
  return {
    link,
    badge,
    markdown: `[![${plain(title)}](${badge})](${link})`,
    image: `<a href="${attribute(link)}"><img src="${attribute(badge)}" alt="${attribute(title)}" height="20"></a>`,
    frame: `<iframe src="${attribute(`${origin}/embed?${query}`)}" title="${attribute(title)}" width="380" height="120" loading="lazy"></iframe>`,
    csv: `${origin}/api/functions/v1/board.csv`,
    json: `${origin}/api/functions/v1/board.json`,
  };
}
