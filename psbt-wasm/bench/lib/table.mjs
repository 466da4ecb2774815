/** Rows as a table of Markdown. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column ? '---:' : '---'))), ...rows.map(line)].join('\n');
}

/** Three digits that count. */
export function short(number) {
  if (number === null || number === undefined || !Number.isFinite(number)) return '–';
  if (number >= 100) return number.toFixed(0);
  return String(Number(number.toPrecision(3)));
}

export function kilobytes(bytes) {
  return (bytes / 1000).toFixed(1);
}
