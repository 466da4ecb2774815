-- Sign-ins that are under way at a provider. A row is deleted when the browser comes back, whatever it brings.
create table sign_in_flows (
    -- SHA-256 of the state that travels through the provider (RFC 6749, section 10.12).
    state_hash     text    primary key,
    provider       text    not null,
    -- SHA-256 of the secret that the browser which began has in a cookie.
    browser_hash   text    not null,
    -- Our own proof to the provider (RFC 7636). Worth nothing without the provider's code.
    pkce_verifier  text    not null,
    -- What the page that began will prove to us, and where it waits.
    code_challenge text    not null,
    redirect_to    text    not null,
    cookie         boolean not null,
    expires_at     bigint  not null
);

create index sign_in_flows_by_expiry on sign_in_flows (expires_at);
