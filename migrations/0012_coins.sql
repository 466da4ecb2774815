-- Every source can be asked whether the block that created a coin is still in the chain (rule B9).

-- Height of the block that created the coin. Null for a claim from before this column, until its coin is looked up.
alter table claims add column funding_height bigint;
