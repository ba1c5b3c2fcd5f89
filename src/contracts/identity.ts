/** An authenticated caller. Where it comes from: `src/identity` and the gateway; never a request's body. */
export interface Principal {
  /** Who: a person's or a service's id, without personal data where possible. */
  subject: string;
  tenant: string;
  /** Built-in roles (`ROLES`) and names of groups. */
  roles: string[];
  via: 'key' | 'session' | 'oidc' | 'queue' | 'local';
  /** Of the API key, browser session or token that proved it; for the audit. */
  credentialId: string | null;
}
