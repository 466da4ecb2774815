const MAX_LEAVES = 2 ** 48;

/** Whether this is a number of leaves that a tree can have. */
export const isSize = (size: number) => Number.isSafeInteger(size) && size >= 0 && size <= MAX_LEAVES;
