// Labels and permissions for scopes of organization tokens.
import type { TokenScope } from '../api/tokens.ts';

export const scopeLabels: Record<TokenScope, { label: string; hint: string }> = {
  read: { label: 'Read', hint: 'See everything except members, tokens and the audit log.' },
  sandbox: { label: 'Sandbox', hint: 'Advance the clock, load files and break credentials.' },
  webhooks: { label: 'Webhooks', hint: 'Change endpoints, rotate secrets and replay events.' },
  connections: {
    label: 'Connections',
    hint: 'Refresh and revoke connections, and revoke SimpleFIN access.',
  },
  applications: { label: 'Applications', hint: 'Change applications, API keys and the company.' },
  audit: { label: 'Audit log', hint: 'Read and export the audit log. The role must be Owner.' },
};

export const scopes = Object.keys(scopeLabels) as TokenScope[];
