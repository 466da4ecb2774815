-- Pictures of people, as fetched from their provider: re-encoded, at most 400 pixels, without metadata. A copy that
-- can be fetched again, here so that replicas share it and a provider is asked once a day at most.
create table pictures (
    profile_id  text   primary key references profiles (id) on delete cascade,
    -- Where it came from: another address at the provider makes this row worthless.
    source_url  text   not null,
    -- Until when the provider is not asked again, whether or not it had a picture.
    fresh_until bigint not null,
    -- Null: there is none, or it could not be had.
    media_type  text   check (media_type in ('image/png', 'image/jpeg')),
    -- Base64.
    content     text   check (length(content) <= 1000000)
);

-- Shared links name a person, with or without the provider.
create index profiles_by_folded_name on profiles (username_folded);
