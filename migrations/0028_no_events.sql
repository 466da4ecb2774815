-- An event of the payment provider only says which customer to read, so it may come again: handled events are not remembered.

drop table billing_events;
