/**
 * The columns that a call asks for, and the rows of the answer as it then is. The API's document says that any column may be
 * missing; who reads the answer through `rows` has those that were asked for, and cannot touch another one.
 */
export function select<Row extends object>() {
  return <Column extends keyof Row & string>(...columns: Column[]) => ({
    columns: columns.join(','),
    rows: (some: Partial<Row>[]) => some as Pick<Row, Column>[],
  });
}
