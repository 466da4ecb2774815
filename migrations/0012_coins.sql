-- Every source can be asked whether the block that created a coin is still in the chain (rule B9), and a coin about which chain
-- sources have no answer waits by itself, so that nobody else waits for it (decisions, D12).

-- Height of the block that created the coin. Null for a claim from before this column, until its coin is looked up.
alter table claims add column funding_height bigint;

-- Since when too few sources say the same about the coin, and when they are asked again. Null: they do.
alter table claims add column unknown_since bigint;
alter table claims add column ask_again_at bigint;

create index claims_unknown on claims (network, ask_again_at) where unknown_since is not null;
