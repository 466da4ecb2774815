-- The board's order is kept in memory: nothing walks along this index any more, and every change of a total wrote into it.
drop index profiles_in_board_order;
