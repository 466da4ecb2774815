-- Which providers there are is for the server to say (server/src/providers.rs), so that a new one is no new schema.
alter table profiles drop constraint profiles_provider_check;
