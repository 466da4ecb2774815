-- Statements commit to a block, which dates the proof (proofs, section 1; decisions, D4). The server takes the hash under the quorum and
-- keeps it, so that a line can be shown while a source is away, and a published proof has the block's header.

create table statement_blocks (
    network text    not null,
    -- Divisible by 2,016: the first block of a difficulty period.
    height  bigint  not null,
    hash    text    not null,
    -- 80 bytes, hex.
    header  text    not null,
    -- A reorganization has taken it out of the chain.
    gone    boolean not null,
    primary key (network, hash)
);

-- Height of the block, and the full name as signed. Null in proofs that are not dated: those from before, and unbound ones.
alter table proofs add column statement_height bigint;
alter table proofs add column statement_name text;
alter table published_proofs add column statement_name text;
alter table published_proofs add column block_height bigint;
alter table published_proofs add column block_header text;

-- When names in statements took their present form: no line of before counts any more.
delete from server_keys where purpose = 'statement-names';
