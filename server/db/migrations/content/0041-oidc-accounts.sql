-- Accounts of OpenID Connect providers with which users sign in.
CREATE TABLE oidc_accounts (
  iss TEXT NOT NULL,
  sub TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (iss, sub)
);
CREATE INDEX oidc_accounts_by_user ON oidc_accounts (user_id);
