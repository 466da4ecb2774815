select 'profile' || id || provider || subject || username || username_folded || coalesce(email, '-')
    || coalesce(avatar_url, '-') || coalesce(tier, '-') || cast(coalesce(holdings_sats, -1) as text)
    || cast(coalesce(last_verified, -1) as text) || cast(coalesce(last_auto_reverify, -1) as text)
    || cast(created_at as text) || cast(updated_at as text) || cast(coalesce(reverify_at, -1) as text)
    || case when named then 'named' else '' end from profiles
union all select 'session' || id || user_id from sessions
union all select 'proof' || id || user_id from proofs
union all select 'claim' || id || user_id || proof_id || case when ended_at is null then 'live' else '' end from claims
union all select 'picture' || profile_id || source_url from pictures
union all select 'account' || id || coalesce(user_id, '-') from billing_accounts
order by 1
