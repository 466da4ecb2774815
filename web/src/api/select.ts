/**
 * The columns of a request, and the type of its rows. In the API document every column is optional; `rows` types the selected ones as
 * present and hides the others.
 */
export function select<Row extends object>() {
  return <Column extends keyof Row & string>(...columns: Column[]) => ({
    columns: columns.join(','),
    rows: (some: Partial<Row>[]) => some as Pick<Row, Column>[],
  });
}
