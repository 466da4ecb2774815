-- The leaderboard's order as an index that both databases can walk: what is missing counts as 0 sats and as the
-- latest time, because the two sort nulls differently. A page of a hundred thousand users then costs the page.
create index profiles_in_board_order
    on profiles (coalesce(holdings_sats, 0) desc, coalesce(last_verified, 9223372036854775807), id);
drop index profiles_by_holdings;
