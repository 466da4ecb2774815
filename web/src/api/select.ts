/**
 * The columns that a call asks for, and the rows of the answer as it then is. The API's document describes whole rows; who
 * reads the answer through `rows` cannot touch a column that was not asked for.
 */
export function select<Row extends object>() {
  return <Column extends keyof Row & string>(...columns: Column[]) => ({
    columns: columns.join(','),
    rows: (whole: Row[]): Pick<Row, Column>[] => whole,
  });
}
