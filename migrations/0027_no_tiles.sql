-- The tiles of a log follow from its entries, and the root from the signed checkpoint: neither is stored a second time.

drop table log_tiles;
alter table log_state drop column root;
alter table log_published drop column root;
