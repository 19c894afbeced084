// The institutions of Sandbox applications. All of them have the same users.
import type { CredentialField, Institution } from '../connector.ts';

const fields: CredentialField[] = [
  { name: 'username', label: 'Username', secret: false },
  { name: 'password', label: 'Password', secret: true },
];

export const sandboxInstitutions: Institution[] = [
  { id: 'sandbox-bank', name: 'Sandbox Bank', fields },
  { id: 'sandbox-credit-union', name: 'Sandbox Credit Union', fields },
  { id: 'sandbox-savings', name: 'Sandbox Savings', fields },
  { id: 'sandbox-building-society', name: 'Sandbox Building Society', fields },
  { id: 'sandbox-credit-regional', name: 'Sandbox Crédit Régional', fields },
  { id: 'sandbox-banco-del-sur', name: 'Sandbox Banco del Sur', fields },
];
