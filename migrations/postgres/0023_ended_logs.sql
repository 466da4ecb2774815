-- Logs of the board that have ended: each stays below its own address, so that its readers still find where it ended. A later log has an
-- address of its own, because browsers and proxies keep tiles for a year.

create table ended_logs (
    number       bigint primary key,
    -- The last checkpoint, signed.
    checkpoint   text   not null,
    -- The key that signed it; none when the database that had it was lost.
    verifier_key text
);

-- The one before the current log: that one's first entry has its checkpoint.
insert into ended_logs (number, checkpoint)
select log_state.number - 1, coalesce(entry::json ->> 'before', '')
from log_state join log_entries on log_entries.number = 0
where log_state.number > 1;
