-- One process fetches an access token, all use it until it ends.
alter table grants
  -- Sealed as the refresh token is, with that token as part of the seal: it ends with the grant that it came from.
  add access_token bytea,
  add access_ends_at timestamptz;
